/**
 * The style of the page in light and dark mode. The custom properties are those of the viewer, whose default colours
 * lack contrast. A screen below 768 px has a select with the operations, because the viewer then hides its own list.
 */
export const pageStyle = `
:root{color-scheme:light dark;--page:#fff;--ink:#1c2a26;--soft:#4a5a55;--line:#c8d2ce;--bar:#0b3d2e;--bar-ink:#fff;
--tint:#eef4f1;--active:#e0eae5;--field:#fff;--accent:#0b6e4f;--accent-ink:#fff;--warn:#a11d2c}
@media (prefers-color-scheme:dark){:root{--page:#121a17;--ink:#e6efeb;--soft:#b3c2bc;--line:#3a4a44;--bar:#0a2119;
--tint:#1b2622;--active:#33423c;--field:#0d1411;--accent:#6fd6ad;--accent-ink:#06231a;--warn:#ff9aa5}}
*{box-sizing:border-box}
html,body{height:100%;margin:0}
body{display:flex;flex-direction:column;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
header{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:center;padding:.5rem 1rem;background:var(--bar);
color:var(--bar-ink)}
header h1{font-size:1.1rem;margin:0 auto 0 0}
header nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
header a{color:inherit;padding:.15rem 0;font-size:.9rem}
header select{display:none;order:2;flex-basis:100%;min-width:0;font:inherit;padding:.5rem;color:var(--ink);
background:var(--field);border:1px solid var(--soft);border-radius:4px}
@media (max-width:40rem){header nav:first-of-type{order:1;flex-basis:100%}}
@media (max-width:767.98px){header select{display:block}}
header a[aria-current]{font-weight:700;text-decoration:none}
:focus-visible{outline:2px solid #ffd166;outline-offset:2px}
noscript p{padding:0 1rem}
form{max-width:36rem;padding:1rem}
form h2{font-size:1.25rem;margin:0}
form label{display:block;font-weight:600}
form input,form select,form button{font:inherit;color:var(--ink);background:var(--field);border:1px solid var(--soft);
border-radius:4px;padding:.5rem;width:100%;max-width:24rem}
form button{background:var(--accent);border-color:var(--accent);color:var(--accent-ink);font-weight:600;width:auto;
padding:.5rem 1.5rem;cursor:pointer}
output{display:block;min-height:1.5em}
openapi-explorer{flex:1;min-height:0;--bg:var(--page);--bg2:var(--tint);--bg3:var(--tint);--light-bg:var(--tint);
--fg:var(--ink);--fg2:var(--ink);--fg3:var(--soft);--light-fg:var(--soft);--border-color:var(--line);
--light-border-color:var(--line);--input-bg:var(--field);--placeholder-color:var(--soft);--hover-color:var(--tint);
--primary-color:var(--accent);--primary-btn-text-color:var(--accent-ink);--secondary-color:var(--accent);
--nav-bg-color:var(--tint);--nav-text-color:var(--ink);--nav-hover-bg-color:var(--active);--nav-hover-text-color:var(--ink);
--nav-hover-scrollbar-color:var(--soft);--header-bg:var(--bar);--header-fg:var(--bar-ink);
--inline-code-fg:var(--ink);--code-fg:var(--ink);--code-property-color:var(--accent);--code-keyword-color:var(--accent);
--code-operator-color:var(--soft);--selection-bg:var(--accent);--selection-fg:var(--accent-ink);
--font-size-small:14px;--font-size-mono:14px;--font-size-regular:16px;--font-regular:system-ui,sans-serif;
--font-mono:ui-monospace,monospace;
--purple:#6f42c1;--red:#a11d2c;--orange:#9a4a00;--yellow:#7a5c00;--green:#0b6e4f;--blue:#0b5a9e;--gray:#465865;
--light-purple:var(--tint);--light-red:var(--tint);--light-orange:var(--tint);--light-yellow:var(--tint);
--light-green:var(--tint);--light-blue:var(--tint);--light-gray:var(--tint)}
@media (prefers-color-scheme:dark){openapi-explorer{--purple:#c3a6ff;--red:#ff9aa5;--orange:#ffb27a;--yellow:#ffd166;
--green:#6fd6ad;--blue:#8cc8ff;--gray:#b3c2bc}}
`.trim().replaceAll("\n", "")
