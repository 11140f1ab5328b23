import { hash } from "node:crypto"
import { iconSvg } from "../docs/icon.ts"
import { script } from "./script.ts"

/** The style sheet of every page. Its colours meet WCAG AA in light and dark mode. */
const style = `
:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--text:#1a2230;--soft:#566072;--line:#d9dee7;--accent:#0b5fcc;
--on:#fff;--good:#0a6b3d;--good-bg:#e2f5ea;--warn:#8a4b00;--warn-bg:#fff1dc;--bad:#b3261e;--bad-bg:#fde8e6;--calm-bg:#e9edf4}
@media screen and (prefers-color-scheme:dark){:root{--bg:#11151c;--card:#1a202b;--text:#e8ecf3;--soft:#a9b4c6;--line:#303949;
--accent:#7db4ff;--on:#0b1220;--good:#6fd8a0;--good-bg:#12352a;--warn:#ffc070;--warn-bg:#3b2a10;--bad:#ff9d95;
--bad-bg:#42191a;--calm-bg:#263042}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
a{color:var(--accent)}a:hover{text-decoration-thickness:2px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;background:var(--card);padding:8px;z-index:2}
header.top{background:var(--card);border-bottom:1px solid var(--line)}
header.top .in{max-width:1320px;margin:0 auto;padding:10px 16px;display:flex;flex-wrap:wrap;gap:8px 20px;align-items:center}
header.top strong{font-size:1.1rem;letter-spacing:.01em}
nav ul{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:2px}
nav a{display:block;white-space:nowrap;padding:7px 10px;border-radius:7px;text-decoration:none;color:var(--text)}
nav a:hover{background:var(--calm-bg)}nav a[aria-current]{background:var(--calm-bg);box-shadow:inset 0 -2px var(--accent)}
.who{margin-left:auto;display:flex;gap:12px;align-items:center;flex-wrap:wrap;color:var(--soft)}
.who form{margin:0}.who button{min-height:0;padding:5px 12px}.who button.link{border:0;padding:0;background:none;color:var(--accent);font-weight:400;text-decoration:underline}
@media (max-width:64rem){header.top .in{gap:8px 10px}.who{gap:10px}nav{order:3;flex-basis:100%}}
@media (max-width:44rem){.two dl{grid-template-columns:minmax(0,2fr) minmax(0,3fr);gap:5px 10px}.role{display:none}nav a{padding:5px 8px;font-size:.95rem}}
main{max-width:1320px;margin:0 auto;padding:20px 16px 56px}
h1{font-size:1.55rem;line-height:1.25;margin:0;overflow-wrap:anywhere}
.head{display:flex;flex-wrap:wrap;gap:8px 18px;align-items:center;margin:0 0 14px}.head>:first-child{margin:0;flex:1 1 auto}h2{font-size:1.15rem;margin:0 0 10px}h3{font-size:1rem;margin:0 0 6px}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:16px;margin:0 0 16px}
.grid>.card{margin:0}.grid{margin:0 0 16px}
.offer dl{font-size:.9rem;grid-template-columns:minmax(6.2em,1fr) minmax(0,auto);gap:4px 8px}.offer dd{text-align:right}
.grid{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(min(100%,13.5rem),1fr))}
.two dl{font-size:.95rem}.two{display:grid;gap:16px;grid-template-columns:minmax(0,1fr)}
@media (min-width:60rem){.two{grid-template-columns:minmax(0,1fr) 24rem}}
.pair,.lists{display:grid;gap:0 16px;grid-template-columns:minmax(0,1fr)}
@media (min-width:70rem){.lists>:last-child:nth-child(odd){grid-column:1/-1}.pair,.lists{grid-template-columns:repeat(2,minmax(0,1fr))}}
.count{display:inline-block;min-width:1.9em;text-align:center;padding:0 7px;border-radius:99px;background:var(--calm-bg);font-variant-numeric:tabular-nums}
.tiles{list-style:none;margin:0 0 16px;padding:0;display:grid;gap:10px;grid-template-columns:repeat(auto-fit,minmax(min(100%,12rem),1fr))}
.tiles li{border-radius:10px;background:var(--calm-bg);color:var(--soft)}.tiles li.warn{background:var(--warn-bg);color:var(--warn)}.tiles li.bad{background:var(--bad-bg);color:var(--bad)}
.tiles li>*{display:block;height:100%;padding:10px 14px;color:inherit;text-decoration:none;font-size:.93rem;line-height:1.35}.tiles a:hover{text-decoration:underline}
.tiles strong{display:block;font-size:1.6rem;line-height:1.25;font-variant-numeric:tabular-nums}
@media (max-width:44rem){.tiles{gap:6px}.tiles li>*{display:flex;gap:12px;align-items:center;padding:6px 12px}.tiles strong{min-width:2.2em;font-size:1.2rem;text-align:right}}
.soft{color:var(--soft)}td .soft{font-size:.9rem}a.quiet{color:inherit;text-decoration-color:var(--line)}.row{display:flex;flex-wrap:wrap;gap:10px;align-items:center}.push{margin-left:auto}
.scroll{overflow-x:auto}.row .row{flex-wrap:nowrap}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:9px 10px;border-bottom:1px solid var(--line);vertical-align:top}
th{font-size:.86rem;color:var(--soft);font-weight:600}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
tbody tr:last-child td{border-bottom:0}tbody tr:hover{background:color-mix(in srgb,var(--calm-bg) 45%,transparent)}table+.row{margin-top:12px}td.n{white-space:nowrap}
@media screen and (max-width:44rem){.stack thead{position:absolute;left:-999px}.stack tr{display:block;border-bottom:1px solid var(--line);padding:8px 0}
.stack td{display:flex;justify-content:space-between;gap:14px;border:0;padding:3px 2px;text-align:right}
.stack td::before{content:attr(data-label);color:var(--soft);text-align:left;flex:none}
.stack td>span{min-width:0;overflow-wrap:anywhere}
.stack td:first-child{display:block;text-align:left;font-weight:600}.stack td:first-child::before{content:none}.stack td:first-child .soft{font-weight:400}}
.badge{display:inline-block;white-space:nowrap;padding:2px 9px;border-radius:99px;font-size:.86rem;background:var(--calm-bg)}
.good{background:var(--good-bg);color:var(--good)}.warn{background:var(--warn-bg);color:var(--warn)}.bad{background:var(--bad-bg);color:var(--bad)}
label{display:block;font-weight:600;font-size:.93rem}label .soft{font-weight:400}
input,select,textarea{font:inherit;width:100%;padding:9px 10px;border:1px solid #7c889b;border-radius:7px;background:var(--card);color:var(--text);margin-top:3px}
select{height:44px}input[type=checkbox]{width:auto;margin:0 8px 0 0}label.check{font-weight:400;display:flex;align-items:flex-start}
[aria-invalid=true]{border:2px solid var(--bad)}.error{color:var(--bad);font-size:.93rem;margin:3px 0 0;font-weight:400}
.field{margin:0 0 12px}.fields{display:grid;gap:4px 16px;grid-template-columns:repeat(auto-fill,minmax(min(100%,15rem),1fr))}
fieldset{border:0;padding:0;margin:0 0 14px}legend{font-weight:700;padding:0;margin:0 0 8px}
button,.button{font:inherit;font-weight:600;border:1px solid var(--accent);background:var(--accent);color:var(--on);border-radius:7px;padding:9px 15px;cursor:pointer;text-decoration:none;display:inline-block;min-height:42px}
.button.small{padding:4px 12px;min-height:0}button.plain,.button.plain{background:transparent;color:var(--accent)}button.danger{border-color:var(--bad);background:transparent;color:var(--bad)}
.button.plain[aria-current]{background:var(--accent);color:var(--on)}
button:hover,.button:hover{filter:brightness(1.08)}
.message{border-radius:8px;padding:11px 14px;margin:0 0 16px}
dl{margin:0;display:grid;grid-template-columns:auto 1fr;gap:5px 16px}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
.big{font-size:1.5rem;margin:2px 0 10px;font-weight:700;font-variant-numeric:tabular-nums}
details>summary{cursor:pointer;color:var(--accent);font-weight:600;padding:6px 0}
ol.time{list-style:none;margin:0;padding:0 0 0 18px;border-left:2px solid var(--line)}
ol.time li{margin:0 0 12px;position:relative}ol.time li::before{content:"";position:absolute;left:-24px;top:7px;width:10px;height:10px;border-radius:50%;background:var(--accent)}
.qr{background:#fff;padding:8px;width:176px;border-radius:8px}.qr svg{display:block;width:160px;height:160px}
code{overflow-wrap:anywhere;background:var(--calm-bg);padding:2px 5px;border-radius:5px;font-size:.93em}
.funnel{display:block;width:100%;margin:0 0 12px}.funnel rect{fill:var(--accent)}.funnel text{fill:var(--text);font-size:13px}
ul.tree{list-style:none;padding-left:0;margin:0}ul.tree ul{list-style:none;padding-left:20px;border-left:1px solid var(--line);margin-left:6px}
ul.tree li{padding:4px 0}ul.tree,.card p{overflow-wrap:anywhere}.field p{margin:3px 0 0}
form[role=search].row label{flex:none}form[role=search].row input{flex:1;min-width:9rem;width:auto;margin:0}
.offer{display:flex;flex-direction:column}.offer form{margin-top:auto;padding-top:12px}.offer>p:first-child{margin:0 0 8px}
.offer form button{width:100%}.offer.best{border-color:var(--good);box-shadow:inset 0 0 0 1px var(--good)}
.sums{max-width:30rem}.sums dl{grid-template-columns:1fr auto}.sums dd{text-align:right;font-variant-numeric:tabular-nums}
input.short{width:auto;margin:0}
@media print{:root{color-scheme:light}body{background:#fff;font-size:11pt}
header.top,.skip,.noprint,.message,main button,main .button,details{display:none}
main{max-width:none;padding:0}.card{border:0;padding:0;margin:0 0 12pt}a{color:inherit;text-decoration:none}
th,td{padding:4pt 5pt;font-size:9pt}tr{break-inside:avoid}.badge{padding:0;background:none;color:inherit;font-size:inherit}thead{display:table-header-group}@page{margin:14mm}}
.narrow{max-width:26rem;margin:6vh auto}
footer{max-width:1320px;margin:0 auto;padding:0 16px 24px;color:var(--soft);font-size:.9rem}
`

/** A file that pages load. Its path contains a hash of the content, so browsers may cache it forever. */
export interface Asset {
  readonly path: `/${string}`
  readonly type: string
  readonly text: string
}

const asset = (name: string, type: string, text: string): Asset => {
  const dot = name.indexOf(".")
  const digest = hash("sha256", text, "hex").slice(0, 12)
  return { path: `/console/${name.slice(0, dot)}-${digest}${name.slice(dot)}`, type, text }
}

/** The style sheet. */
export const styleSheet = asset("style.css", "text/css; charset=utf-8", style)

/** The script. */
export const scriptFile = asset("script.js", "text/javascript; charset=utf-8", script)

/** The icon of the server. */
export const icon = asset("icon.svg", "image/svg+xml", iconSvg)
