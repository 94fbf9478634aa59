/**
 * The one style sheet, inlined in every page. The content security policy allows exactly this text, so no page carries
 * style attributes. No text-transform anywhere: exact lines stay exact when they are copied.
 */
const SOURCE = `
:root{color-scheme:light dark;
--bg:#faf9f6;--card:#fff;--ink:#1d1c1a;--soft:#5c5850;--line:#e2ded4;--wash:#f2f0ea;--link:#0b5d4e;--on:#fff;
--ok:#1f7a47;--due:#2b5cc0;--bad:#b04a12;--off:#6d6382;--warn:#7a4a00;--warnbg:#fdf3de;
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
--mono:ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace}
@media (prefers-color-scheme:dark){:root{
--bg:#151614;--card:#1c1d1b;--ink:#ecebe6;--soft:#aaa69c;--line:#34342f;--wash:#242521;--link:#74d3b8;--on:#10201b;
--ok:#52c78c;--due:#8badff;--bad:#f29a62;--off:#b0a6cf;--warn:#f1c873;--warnbg:#2d2616}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--bg);color:var(--ink);font:1rem/1.55 var(--sans);overflow-wrap:anywhere}
.wrap{max-width:74rem;margin-inline:auto;padding-inline:clamp(1rem,4vw,2rem)}
a{color:var(--link);text-underline-offset:.18em;text-decoration-thickness:.07em}
a:hover{text-decoration-thickness:.14em}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:1rem;top:-5rem;background:var(--card);padding:.5rem 1rem;border:1px solid var(--line);z-index:1}
.skip:focus{top:.5rem}
h1,h2,h3,h4,p,ul,ol,dl,dd,pre,blockquote{margin:0}
ul,ol{padding:0;list-style:none}
code,pre,.lines,.exact,time,.mono{font-family:var(--mono);font-variant-ligatures:none}
.top{border-bottom:1px solid var(--line);background:var(--card)}
.top .wrap{display:flex;flex-wrap:wrap;gap:.6rem 1.5rem;align-items:center;padding-block:.75rem}
.brand{display:inline-flex;align-items:center;gap:.5rem;font-weight:650;font-size:1.1rem;letter-spacing:-.01em;color:var(--ink);text-decoration:none;margin-right:auto}
.brand svg{width:1.6rem;height:1.6rem}
.find{display:flex;gap:.4rem;flex:0 1 22rem;min-width:0}
input,select,button{font:inherit;color:inherit;background:var(--card);border:1px solid var(--soft);border-radius:.45rem;padding:.42rem .65rem;min-width:0;max-width:100%}
.find input{flex:1;width:0}
::placeholder{color:var(--soft);opacity:1}
button{background:var(--link);border-color:var(--link);color:var(--on);font-weight:600;cursor:pointer}
main{padding-block:2.2rem 3rem;display:block}
main>section,main>header,main>form{margin-bottom:2.75rem}
h1{font-size:clamp(1.6rem,1.1rem + 2.4vw,2.5rem);line-height:1.15;letter-spacing:-.022em;font-weight:680;text-wrap:balance}
h2{font-size:1.3rem;line-height:1.3;letter-spacing:-.012em;font-weight:660;margin-bottom:.9rem}
h4{font-size:.875rem;font-weight:640;margin-top:1.1rem}
.eyebrow{color:var(--soft);font-size:.95rem;margin-bottom:.15rem}
.lead{font-size:1.1rem;max-width:46rem;margin-top:.7rem}
.soft,.note{color:var(--soft)}
.note{font-size:.875rem}
.small{font-size:.875rem;max-width:52rem}
h2+.small{margin:-.4rem 0 1rem}
.label{margin-top:.6rem;padding-left:.8rem;border-left:3px solid var(--line);color:var(--soft);max-width:46rem;font-size:.95rem}
.counters{display:flex;flex-wrap:wrap;gap:1px;margin-top:1.5rem;border:1px solid var(--line);border-radius:.7rem;overflow:hidden;background:var(--line)}
.counters div{flex:1 1 8rem;background:var(--card);padding:.8rem 1.1rem;display:flex;flex-direction:column}
.counters .wide{flex:2 1 18rem}
.counters dt{color:var(--soft);font-size:.875rem}
.counters dd{font-size:1.5rem;font-weight:640;font-variant-numeric:tabular-nums;line-height:1.35;letter-spacing:-.01em}
.counters .wide dd{font-size:1rem;font-weight:500;line-height:2rem;letter-spacing:0}
.counters a{color:inherit;text-decoration-color:var(--line)}
.bar{display:block;width:100%;height:.85rem;border-radius:.45rem;background:var(--line);margin-bottom:.9rem}
.legend{display:flex;flex-wrap:wrap;gap:.1rem 1.4rem;margin-bottom:.7rem;font-size:.875rem;color:var(--soft)}
.legend li::before{content:"";display:inline-block;width:.7em;height:.7em;border-radius:2px;margin-right:.45em;background:currentColor}
.legend .ok::before{background:var(--ok)}.legend .due::before{background:var(--due)}.legend .bad::before{background:var(--bad)}.legend .off::before{background:var(--off)}
.exact{font-size:.95rem;line-height:1.6}
.panel,.route{background:var(--card);border:1px solid var(--line);border-radius:.7rem;padding:1.15rem clamp(.9rem,2.5vw,1.4rem)}
.route{margin-top:1rem}
h3{font-size:1rem;line-height:1.45;font-weight:600}
h3 code{font-size:.95rem}
.method{display:inline-block;font:650 .78rem/1.5 var(--mono);padding:.02rem .45rem;border-radius:.3rem;background:var(--wash);border:1px solid var(--line);margin-right:.35rem}
.facts{display:grid;grid-auto-flow:column;grid-template-rows:auto auto;justify-content:start;column-gap:2.4rem;margin-top:.75rem}
.facts dt{color:var(--soft);font-size:.8125rem}
.facts dd{font-variant-numeric:tabular-nums;font-weight:560}
.differs{margin-top:.75rem;padding:.45rem .75rem;border-radius:.45rem;background:var(--warnbg);color:var(--warn);font-size:.9rem}
.lines{margin-top:.35rem;font-size:.775rem;line-height:1.6}
.lines li{padding-left:.8rem;border-left:3px solid var(--line);margin-top:.25rem}
.lines .ok{border-color:var(--ok)}.lines .due{border-color:var(--due)}.lines .bad{border-color:var(--bad)}.lines .off{border-color:var(--off)}
rect.ok{fill:var(--ok)}rect.due{fill:var(--due)}rect.bad{fill:var(--bad)}rect.off{fill:var(--off)}
.none{color:var(--soft);font:.8rem/1.6 var(--mono);margin-top:.35rem}
.cut{font-size:.875rem;color:var(--soft);margin-top:.4rem}
.said{margin-top:.7rem}
.said blockquote{white-space:pre-wrap;margin-top:.25rem;padding:.55rem .85rem;background:var(--wash);border-radius:.45rem;max-width:52rem}
.said p{font-size:.875rem;color:var(--soft)}
.cards{margin-top:1rem;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(24rem,100%),1fr));gap:1rem;align-items:start}
.cards .route{margin:0}
.cards .route:has(details[open]){grid-column:1/-1}
.cardline{margin-top:.8rem;font-weight:560;font-variant-numeric:tabular-nums}
.cardline span{display:inline-block;margin-right:1.4rem}
.code{color:var(--soft);font:.8rem/1.6 var(--mono);margin-top:.3rem}
.status{font-size:.925rem}
details{margin-top:.8rem;border-top:1px solid var(--line);padding-top:.6rem}
summary{cursor:pointer;font-size:.9rem;color:var(--link);width:fit-content}
pre{white-space:pre-wrap;font-size:.83rem;line-height:1.6;background:var(--wash);border:1px solid var(--line);border-radius:.6rem;padding:.9rem 1.1rem;margin-top:.9rem}
pre+p,.plain+p{margin-top:.9rem}
.levels li{padding:.6rem .9rem;border:1px solid var(--line);border-left-width:4px;border-radius:.45rem;background:var(--card);margin-top:.5rem;max-width:52rem}
.levels .l0{border-left-color:var(--ok)}.levels .l1{border-left-color:var(--due)}.levels .l2{border-left-color:var(--soft)}
.next{margin-top:1.2rem;display:flex;flex-wrap:wrap;gap:.5rem 1.5rem}
.next a{font-weight:600}
.filters{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(10rem,100%),1fr));gap:.8rem 1rem;align-items:end}
.filters label{display:block;font-size:.875rem;color:var(--soft)}
.filters input,.filters select{display:block;width:100%;margin-top:.2rem;color:var(--ink);height:2.6rem}
.filters .q{grid-column:1/-1}
.filters .q input{font-size:1.1rem;height:3rem}
.filters button{height:2.6rem}
table{width:100%;border-collapse:collapse;background:var(--card);border:1px solid var(--line);border-radius:.7rem;font-size:.925rem;font-variant-numeric:tabular-nums}
.tablebox{border:1px solid var(--line);border-radius:.7rem;overflow:hidden}
.tablebox table{border:0}
th,td{text-align:left;vertical-align:top;padding:.7rem .9rem;border-top:1px solid var(--line);font-weight:400}
thead th{border-top:0;color:var(--soft);font-size:.8125rem;background:var(--wash);white-space:nowrap}
tbody th a{font-weight:600}
td .bar{height:.45rem;margin:.45rem 0 .35rem;min-width:9rem}
td .note,th .note{display:block;font-size:.8125rem}
.c1{width:27%}.c5{width:35%}
.big{font-size:3.2rem;line-height:1.25;font-weight:700;color:var(--soft);letter-spacing:-.03em}
.shown{display:flex;flex-wrap:wrap;gap:.2rem 1.5rem;font-size:.925rem}
.request{margin-top:2rem;color:var(--soft);font:.8rem/1.6 var(--mono)}
.hint{font-weight:600;margin-top:.8rem;max-width:46rem}
.plain li{margin-top:.4rem}
.plain+h2,.hint+h2{margin-top:1.8rem}
.bottom{border-top:1px solid var(--line);color:var(--soft);font-size:.875rem;padding-block:1.4rem 2.4rem}
.bottom ul{display:flex;flex-wrap:wrap;gap:.3rem 1.25rem;margin-top:.5rem}
@media (max-width:44rem){
.find{flex:1 1 100%}
.facts{grid-auto-flow:row;grid-template-rows:none;grid-template-columns:max-content minmax(0,1fr);column-gap:1rem}
.facts dt{line-height:1.9}
thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
table,tbody,tr,th,td{display:block}
tr{padding:.9rem 1rem;border-top:1px solid var(--line)}
tbody tr:first-child{border-top:0}
th,td{border:0;padding:.12rem 0}
td[data-name]{display:grid;grid-template-columns:7.5rem minmax(0,1fr)}
td[data-name]::before{content:attr(data-name);color:var(--soft);font-size:.8125rem}
td .bar{min-width:0}}
@media print{
:root{--bg:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--wash:#fff;--link:#000;--warn:#000;--warnbg:#fff}
.top form,.skip,.bottom ul,.filters,.next,.shown a{display:none}
main{padding-block:1rem}
.route,.panel,.levels li{break-inside:avoid}
details::details-content{content-visibility:visible;block-size:auto}}
`

export const CSS = SOURCE.replace(/\n/g, '')
