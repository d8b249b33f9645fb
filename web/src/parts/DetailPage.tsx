/** A memory as a page of its own. */

import { useEffect } from "preact/hooks";

import { address, go } from "../core/router";
import { useKeys } from "../core/keys";
import { quoted, shortId } from "../model/words";
import { Detail, pathOf } from "./Detail";
import { Icon } from "./Icon";
import { ViewPage } from "./ViewPage";

export function DetailPage({ id, section }: { id: string; section: string }) {
  useEffect(() => {
    if (!section) return;
    const timer = setTimeout(() => document.getElementById(section)?.scrollIntoView(), 400); // its parts arrive one by one
    return () => clearTimeout(timer);
  }, [section]);
  useKeys([{ keys: "Escape", does: "Back to the list", run: () => go(address("/memories")), group: "Memory" }]);
  return (
    <ViewPage
      title="Memory"
      padded={false}
      command={`mem show ${quoted(shortId(id))}`}
      json={pathOf(id)}
      controls={
        <a class="category" href={address("/memories")}>
          <Icon name="back" /> All memories
        </a>
      }
    >
      <div class="detail-page">
        <Detail id={id} />
      </div>
    </ViewPage>
  );
}
