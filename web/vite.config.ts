import { defineConfig } from "vite";

export default defineConfig({
  oxc: { jsx: { runtime: "classic", pragma: "h", pragmaFrag: "Fragment" }, jsxInject: 'import { h, Fragment } from "preact"' },
  build: {
    outDir: "../src/memory_layer/doors/page/built",
    emptyOutDir: true,
    manifest: true,
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"], // the first with light-dark()
    assetsInlineLimit: 0, // the content security policy allows no data: addresses
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // `npm run dev`: the page from source, with a running `mem serve` behind it
  server: { proxy: { "/api": "http://127.0.0.1:8080", "/health": "http://127.0.0.1:8080" } },
});
