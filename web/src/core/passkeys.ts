/** Passkeys: made and used in this browser, checked by the server. */

import { write } from "./api";
import type { Asked } from "./confirm";

export interface Passkey {
  id: string;
  name: string;
  created_at: string;
  created_by: string;
  last_used_at: string | null;
  uses: number;
}

interface Options {
  public_key: Record<string, unknown> & { challenge: string };
}

interface Named {
  type: "public-key";
  id: string;
}

/** Passkeys belong to a name; a browser makes none for an IP address. */
export function atName(place: Location = location): boolean {
  return place.hostname === "localhost";
}

export function canUsePasskeys(): boolean {
  return atName() && "credentials" in navigator && "PublicKeyCredential" in window;
}

/** Make a passkey on this device, and register it. */
export async function addPasskey(name: string): Promise<Passkey> {
  const { body } = await write<Options>("POST", "/api/passkeys/options");
  const asked = body.public_key;
  const user = asked.user as { id: string; name: string; displayName: string };
  const made = await navigator.credentials.create({
    publicKey: {
      ...asked,
      challenge: bytes(asked.challenge),
      user: { ...user, id: bytes(user.id) },
      excludeCredentials: named(asked.excludeCredentials),
    } as unknown as PublicKeyCredentialCreationOptions,
  });
  const credential = made as PublicKeyCredential;
  const response = credential.response as AuthenticatorAttestationResponse;
  const answer = plain(credential, {
    clientDataJSON: text(response.clientDataJSON),
    attestationObject: text(response.attestationObject),
  });
  return (await write<Passkey>("POST", "/api/passkeys", { name, credential: answer })).body;
}

/** Let a passkey sign one request; return the header to send it with. */
export async function sign(asked: Asked): Promise<Record<string, string>> {
  const { method, path, body = null } = asked;
  const challenge = await write<Options>("POST", "/api/passkeys/challenge", { method, path, body }, { asks: false });
  const options = challenge.body.public_key;
  const used = await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      allowCredentials: named(options.allowCredentials),
    } as unknown as PublicKeyCredentialRequestOptions,
  });
  const credential = used as PublicKeyCredential;
  const response = credential.response as AuthenticatorAssertionResponse;
  const answer = plain(credential, {
    clientDataJSON: text(response.clientDataJSON),
    authenticatorData: text(response.authenticatorData),
    signature: text(response.signature),
  });
  return { "Memory-Passkey": text(new TextEncoder().encode(JSON.stringify(answer)).buffer as ArrayBuffer) };
}

/** Write bytes in base64url. */
export function text(raw: ArrayBuffer): string {
  const letters = Array.from(new Uint8Array(raw), (each) => String.fromCharCode(each)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Read base64url. */
export function bytes(encoded: string): ArrayBuffer {
  const letters = atob(encoded.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(letters, (each) => each.charCodeAt(0)).buffer as ArrayBuffer;
}

function named(given: unknown): { type: "public-key"; id: ArrayBuffer }[] {
  return (given as Named[]).map((each) => ({ type: "public-key", id: bytes(each.id) }));
}

function plain(credential: PublicKeyCredential, response: Record<string, string>) {
  const id = text(credential.rawId);
  return { id, rawId: id, type: "public-key", response };
}
