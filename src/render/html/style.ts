import { ROW_DAYS } from '../../views/host/day-view.ts'

/**
 * The one style sheet, inlined in every page. The content security policy allows exactly this text, so no page carries
 * style attributes. No text-transform anywhere: exact lines stay exact when they are copied.
 *
 * Vocabulary, for every page:
 *   eyebrow, lead, label    above, under and beside the h1 of a page's header
 *   counters                dl of div > dt + dd: the figures of a header; `wide` for a long value
 *   jump                    links to the parts of a long page
 *   panel, route            boxes; `route` is one article of several
 *   facts                   p of short facts on one line, the first of them in b
 *   now, mark               what is true now: under a title, and in a row; with the class of its result
 *   check, chip             a price check, by its word; a support level, l0 to l2
 *   checkline, follow       the two lines under `now`
 *   lines, exact, none      exact lines: a list or a pre of them, one alone, and "no data"; `why` says why
 *   ok due bad off          the four probe results; as class of li, path or mark
 *   hatches, day, run       what trouble is hatched with, one day of a chart, entries in a row of one class
 *   days, steps, prices     the charts; s0 to s3 their lines, as in `keys`
 *   legend, keys, axis      what stands under a chart
 *   said, seller            a stranger's words: p with what is known about them, blockquote with the words; a seller's
 *                           stand further in where they answer somebody's
 *   levels                  the three support levels, l0 to l2
 *   plain                   a list of sentences
 *   note, small, soft, cut  quieter text; `cut` says what is left out and where it is
 *   differs                 a warning in words
 *   next, shown             ways through a list
 *   tablebox                around a table, `rows` when each row becomes a card on a small screen, `compact` in a line;
 *                           `wide` columns take the room, `num` ones are aligned right and keep a number whole,
 *                           `tight` ones never break;
 *                           in such a card a cell is named by its data-name, and `over` fills the width;
 *                           `opt` columns are left out on the smallest screens, and networks where lines have them
 *   notice                  the operator's own line on top of every page
 *   hero, browse            the two columns of the home page's header and list
 *   filters, facets, pick   forms and links that choose what is shown
 */
const SOURCE = `
:root{color-scheme:light dark;
--bg:#fbfaf8;--card:#fff;--ink:#1c1b19;--soft:#5a564e;--line:#e4e0d8;--wash:#f3f1ec;--link:#0b5d4e;--on:#fff;
--ok:#1f7a47;--due:#2b5cc0;--bad:#b04a12;--off:#6d6382;--warn:#7a4a00;--warnbg:#fdf3de;
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
--mono:ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace}
@media (prefers-color-scheme:dark){:root{
--bg:#141513;--card:#1b1c1a;--ink:#ecebe6;--soft:#aaa69c;--line:#33332e;--wash:#232420;--link:#74d3b8;--on:#10201b;
--ok:#52c78c;--due:#8badff;--bad:#f29a62;--off:#b0a6cf;--warn:#f1c873;--warnbg:#2d2616}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--bg);color:var(--ink);font:.9375rem/1.55 var(--sans);overflow-wrap:anywhere}
.wrap{max-width:76rem;margin-inline:auto;padding-inline:clamp(1rem,4vw,2rem)}
a{color:var(--link);text-underline-offset:.18em;text-decoration-thickness:.07em}
a:hover{text-decoration-thickness:.14em}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:3px}
main:focus{outline:0}
.skip{position:absolute;left:1rem;top:-5rem;background:var(--card);padding:.5rem 1rem;border:1px solid var(--line);z-index:1}
.skip:focus{top:.5rem}
h1,h2,h3,h4,p,ul,ol,dl,dd,pre,blockquote,figure{margin:0}
ul,ol{padding:0;list-style:none}
code,pre,.lines,.exact,.none,.mono{font-family:var(--mono);font-variant-ligatures:none}
.notice{background:var(--warnbg);color:var(--warn);font-size:.8125rem;font-weight:600;text-align:center;padding-block:.3rem}
.top{border-bottom:1px solid var(--line);background:var(--card)}
.top .wrap{display:flex;flex-wrap:wrap;gap:.5rem 1.75rem;align-items:center;padding-block:.6rem}
.brand{display:inline-flex;align-items:center;gap:.5rem;font-weight:660;font-size:1.05rem;letter-spacing:-.01em;color:var(--ink);text-decoration:none}
.brand svg{width:1.5rem;height:1.5rem}
.top nav{display:flex;flex-wrap:wrap;gap:.1rem 1.25rem;margin-right:auto}
.top nav a{color:var(--soft);text-decoration:none;padding-block:.3rem}
.top nav a:hover,.top nav [aria-current]{color:var(--ink);text-decoration:underline;text-decoration-thickness:2px;text-underline-offset:.4em;text-decoration-color:var(--link)}
.find{display:flex;gap:.4rem;flex:0 1 22rem;min-width:0}
input,select,button{font:inherit;color:inherit;background:var(--card);border:1px solid var(--soft);border-radius:.4rem;padding:.35rem .6rem;min-width:0;max-width:100%;min-height:2.25rem}
.find input{flex:1;width:0}
::placeholder{color:var(--soft);opacity:1}
button{background:var(--link);border-color:var(--link);color:var(--on);font-weight:600;cursor:pointer;padding-inline:.9rem}
main{padding-block:1.9rem 3rem;display:block}
main>section,main>header,main>form,main>nav{margin-bottom:2.25rem}
h1{font-size:clamp(1.45rem,1.15rem + 1.5vw,2rem);line-height:1.18;letter-spacing:-.02em;font-weight:680;text-wrap:balance}
h2{font-size:1.2rem;line-height:1.3;letter-spacing:-.01em;font-weight:660;margin-bottom:.7rem}
h3{font-size:1rem;line-height:1.45;font-weight:600}
h4{font-size:.8125rem;font-weight:640;margin-top:.85rem}
.eyebrow{color:var(--soft);font-size:.875rem;margin-bottom:.1rem}
.lead{font-size:1.03rem;max-width:50rem;margin-top:.45rem}
.soft,.note,.cut,.none{color:var(--soft)}
.note,.small,.cut{font-size:.8125rem}
.note,h1,h3,th,td,pre,.by,.exact{overflow:clip;overflow-clip-margin:6px}
.small{max-width:54rem}
.cut{margin-top:.35rem}
h2+.small{margin:-.35rem 0 .8rem}
h4+.note{display:inline}
.label{margin-top:.5rem;padding-left:.7rem;border-left:3px solid var(--line);color:var(--soft);max-width:54rem;font-size:.875rem}
.counters{display:flex;flex-wrap:wrap;gap:1px;margin-top:1.1rem;border:1px solid var(--line);border-radius:.6rem;overflow:hidden;background:var(--line)}
.counters div{flex:1 1 8rem;background:var(--card);padding:.6rem 1rem;display:flex;flex-direction:column}
.counters .wide{flex:2 1 17rem}
.counters dt{color:var(--soft);font-size:.8125rem}
.counters dd{font-size:1.35rem;font-weight:640;font-variant-numeric:tabular-nums;line-height:1.35;letter-spacing:-.01em;overflow-wrap:normal}
.counters .wide dd{font:500 .9rem/1.85rem var(--mono);letter-spacing:0}
.counters a{color:inherit;text-decoration-color:var(--soft)}
.jump{display:flex;flex-wrap:wrap;gap:.2rem 1.25rem;font-size:.875rem;margin:-.9rem 0 2.25rem}
section .jump{margin:.6rem 0 1.2rem}
.panel,.route{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem clamp(.9rem,2.5vw,1.25rem)}
.route{margin-top:.75rem}
.days,.steps,.prices{display:block;width:100%}
.days{height:2.6rem}
.hatches{position:absolute}
.hatches .bad path{fill:var(--bad)}.hatches .off path{fill:var(--off)}
.hatches path.over{stroke:var(--ink);stroke-width:1.1;fill:none}
.day{fill:transparent}.day:hover{fill:var(--ink);fill-opacity:.25}
.steps{height:2.4rem;margin-top:.6rem}
.prices{height:9rem;border:1px solid var(--line);border-width:1px 0;margin-top:.25rem}
path.ok{fill:var(--ok)}path.due{fill:var(--due)}
.steps path,.prices path{fill:none;stroke:var(--link);stroke-width:1.6;vector-effect:non-scaling-stroke}
.prices path{stroke-width:2.2}
.prices .s1{stroke:var(--due);stroke-dasharray:9 4}.prices .s2{stroke:var(--bad);stroke-dasharray:2 3}.prices .s3{stroke:var(--off);stroke-dasharray:14 4 2 4}
.axis{display:flex;justify-content:space-between;gap:1rem;color:var(--soft);font-size:.8125rem;margin-top:.2rem}
.legend,.keys{display:flex;flex-wrap:wrap;gap:.1rem 1.3rem;margin:.55rem 0;font-size:.8125rem;color:var(--soft)}
.legend li::before{content:"";display:inline-block;width:.8em;height:.8em;margin-right:.45em;vertical-align:baseline;background:var(--due);forced-color-adjust:none;print-color-adjust:exact}
.legend .ok::before{background:var(--ok)}
.legend .bad::before{background:repeating-linear-gradient(135deg,var(--bad) 0 3px,var(--ink) 3px 4px)}
.legend .off::before{background:repeating-linear-gradient(var(--off) 0 3px,var(--ink) 3px 4px)}
.keys li::before{content:"";display:inline-block;width:1.8em;border-top:3px solid var(--link);vertical-align:middle;margin-right:.5em}
.keys .s1::before{border-top:3px dashed var(--due)}.keys .s2::before{border-top:3px dotted var(--bad)}.keys .s3::before{border-top:3px double var(--off)}
.exact{font-size:.875rem;line-height:1.65}
h3 code{font-size:.9375rem}
h3 a,h1 a{color:inherit;text-decoration-color:var(--soft)}
.method{display:inline-block;font:650 .75rem/1.6 var(--mono);padding:0 .4rem;border-radius:.3rem;background:var(--wash);border:1px solid var(--line);margin-right:.35rem;vertical-align:.06em}
.facts{margin-top:.3rem;font-size:.875rem;color:var(--soft);font-variant-numeric:tabular-nums}
.facts b{font-weight:640;color:var(--ink)}
.now{margin-top:.7rem;padding:.55rem .9rem;border:1px solid var(--line);border-left:.45rem solid var(--soft);border-radius:.4rem;background:var(--card);max-width:54rem}
.now b{font-weight:660}
.now.ok{border-color:var(--ok)}.now.due{border-color:var(--due)}.now.bad{border-color:var(--bad)}.now.off{border-color:var(--off)}
.now .soft{font-size:.8125rem;display:inline-block}
.mark.bad,.mark.off,.check.differs{font-weight:640}
.mark.due{color:var(--due)}.mark.ok{color:var(--ok)}.mark.bad{color:var(--bad)}.mark.off{color:var(--off)}
.check.verified{color:var(--ok)}.check.differs{color:var(--bad)}.check.unverified{color:var(--soft);font-weight:400}
.checkline,.follow{font-size:.875rem;margin-top:.45rem}
.follow{display:flex;flex-wrap:wrap;gap:.2rem 1rem;align-items:center}
.follow a{padding-block:.15rem}
.follow img{display:block;max-width:100%;object-fit:contain;object-position:left}
.chip{display:inline-block;padding:0 .45rem;border:1px solid var(--soft);border-radius:1rem;font-weight:600;color:var(--ink)}
.chip.l0{border-color:var(--ok);color:var(--ok)}.chip.l1{border-color:var(--due);color:var(--due)}
p.differs{margin-top:.6rem;padding:.4rem .7rem;border-radius:.4rem;background:var(--warnbg);color:var(--warn);font-size:.875rem}
.lines{margin-top:.2rem;font-size:.75rem;line-height:1.6}
.lines li,pre.lines{padding:0 0 0 .7rem;border:0;border-left:3px solid var(--line);border-radius:0;background:none;margin-top:.15rem}
.lines .ok{border-color:var(--ok)}.lines .due{border-color:var(--due)}.lines .bad{border-color:var(--bad)}
.why{margin:.2rem 0 0}.why summary{font-size:.75rem;padding-block:.2rem}
.run{margin-top:.35rem}.run .lines{margin-top:.3rem}
.run summary,#sellers summary{width:auto}
.none{font-size:.75rem;line-height:1.6;margin-top:.2rem}
.said{margin-top:.7rem}
.said blockquote{overflow:hidden auto;max-height:24rem;white-space:pre-wrap;margin-top:.2rem;padding:.5rem .8rem;background:var(--wash);border-radius:.4rem;max-width:54rem}
.said p{font-size:.8125rem;color:var(--soft);margin-top:.25rem}
.said .seller{margin-left:1.5rem}
.by{display:inline-block;font-size:.8125rem;color:var(--soft);margin-top:.2rem;padding-block:.15rem}
.said details{margin-top:.25rem}.said summary{font-size:.8125rem;padding-block:.15rem}
.cards{margin-top:.8rem;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(22rem,100%),1fr));gap:.8rem;align-items:start}
.cards .route{margin:0}
.cards h3{font-size:.875rem}
.cards .route:has(details[open]){grid-column:1/-1}
.cardline{margin-top:.5rem;font-size:.875rem;font-weight:600;font-variant-numeric:tabular-nums}
.cardline span{display:inline-block;margin-right:1rem}
.code{color:var(--soft);font:.8rem/1.6 var(--mono);margin-top:.2rem}
.status{font-size:.875rem}
details{margin-top:.7rem}
.route details{border-top:1px solid var(--line);padding-top:.5rem}
summary{cursor:pointer;font-size:.875rem;color:var(--link);width:fit-content}
pre{white-space:pre-wrap;font-size:.8rem;line-height:1.6;background:var(--wash);border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;margin-top:.7rem}
pre+p,.plain+p,p+p{margin-top:.6rem}
.exact+.exact,.eyebrow+p{margin-top:0}
.levels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(18rem,100%),1fr));gap:.7rem}
.levels li{padding:.7rem .9rem;border:1px solid var(--line);border-top-width:4px;border-radius:.4rem;background:var(--card)}
.levels .l0{border-top-color:var(--ok)}.levels .l1{border-top-color:var(--due)}.levels .l2{border-top-color:var(--soft)}
.levels p{font-size:.8125rem;color:var(--soft);margin-top:.4rem}
.levels p:first-child{font-size:.9375rem;color:var(--ink);margin-top:0}
.next{margin-top:1rem;display:flex;flex-wrap:wrap;gap:.5rem 1.5rem}
.next a{font-weight:600}
.shown{display:flex;flex-wrap:wrap;gap:.2rem 1.5rem;font-size:.875rem}
.shown a,.bottom li a,#listings .small a{display:inline-block;padding-block:.2rem}
.filters{display:flex;flex-wrap:wrap;gap:.6rem .8rem;align-items:end}
.filters label{display:block;font-size:.8125rem;color:var(--soft);flex:1 1 9rem;max-width:16rem}
.filters input,.filters select{display:block;width:100%;margin-top:.15rem;color:var(--ink)}
.filters .q{flex:1 1 16rem;max-width:none}
main>.filters .q input{font-size:1.05rem;min-height:2.75rem}
main>.filters>button{min-height:2.75rem}
.hero{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,23rem);gap:1rem 2rem;align-items:end}
.hero .counters{margin:0}
.hero .counters div{flex-basis:6.5rem}
.filters details{flex:1 1 100%;margin:0}
.filters details>div{display:flex;flex-wrap:wrap;gap:.6rem .8rem;margin-top:.5rem}
.browse{display:grid;grid-template-columns:minmax(0,9.5rem) minmax(0,1fr);gap:1.5rem 2rem;align-items:start}
.facets{font-size:.875rem;margin:0}
.facets summary{margin-bottom:.6rem}
@media (min-width:74.01rem){.browse td.mark{min-width:10.2rem}.browse td:last-child{min-width:7.5rem}.facets summary{display:none}.facets::details-content{content-visibility:visible;block-size:auto}}
.facets dt{color:var(--soft);font-size:.8125rem;margin-bottom:.1rem}
.facets dd{display:flex;flex-direction:column;align-items:start;gap:.05rem;margin-bottom:1rem}
.facets a{padding-block:.1rem}
.facets a:not(:hover),.jump a:not(:hover),tbody th a:not(:hover){text-decoration:none}
[aria-current=true]{color:var(--ink);font-weight:640;text-decoration:none}
.pick{margin:0 0 .8rem}
table{width:100%;border-collapse:collapse;background:var(--card);font-size:.875rem;font-variant-numeric:tabular-nums}
.tablebox{border:1px solid var(--line);border-radius:.6rem;overflow:auto hidden;margin-top:.8rem}
caption{text-align:left;padding:.5rem .65rem;color:var(--soft);font-size:.8125rem;background:var(--card)}
th,td{text-align:left;vertical-align:top;padding:.5rem .65rem;border-top:1px solid var(--line);font-weight:400}
thead th{border-top:0;color:var(--soft);font-size:.8125rem;background:var(--wash);white-space:nowrap;overflow-wrap:normal}
caption+thead th{border-top:1px solid var(--line)}
tbody th a{font-weight:600}
.rows td{overflow-wrap:normal}
#evidence h3{margin-top:1.6rem;padding-top:.8rem;border-top:1px solid var(--line)}
.tablebox:not(.rows) :is(th,td){padding-block:.35rem}
.tight{white-space:nowrap}
.compact :is(th,td){padding-block:.22rem}.compact table{line-height:1.45}
tbody tr:hover{background:var(--wash)}
.num{text-align:right;white-space:nowrap;overflow-wrap:normal}
.wide{width:30%}
td .days{height:1.5rem;min-width:7.5rem}
td .note,th .note{display:block}
.big{font-size:2.6rem;line-height:1.2;font-weight:700;color:var(--soft);letter-spacing:-.03em}
.request{margin-top:1.6rem;color:var(--soft);font:.8rem/1.6 var(--mono)}
.hint{font-weight:600;margin-top:.7rem;max-width:50rem}
ul.plain{list-style:disc;padding-left:1.1rem}
.plain li{margin-top:.3rem;max-width:54rem}
.lines+pre{margin-top:.7rem}pre+.lines{margin-top:.6rem}
.plain+h2,.hint+h2,.plain+h3,p+h3,ul+h2,ul+h3{margin-top:1.4rem}
.bottom{border-top:1px solid var(--line);color:var(--soft);font-size:.8125rem;padding-block:1.1rem 2rem}
.bottom ul{display:flex;flex-wrap:wrap;gap:.2rem 1.25rem;margin-top:.4rem}
@media (max-width:74rem){
.browse{grid-template-columns:minmax(0,1fr)}
.facets dd{flex-flow:row wrap;gap:.1rem 1.1rem;margin-bottom:.45rem}}
@media (max-width:52rem){
.find{flex:1 1 100%}
.hero{grid-template-columns:minmax(0,1fr)}}
@media (max-width:62rem){
.rows thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
.rows table,.rows caption,.rows tbody,.rows tr,.rows th,.rows td{display:block}
.rows tr{padding:.7rem .9rem;border-top:1px solid var(--line)}
.rows tbody tr{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:.1rem .8rem}
.rows tbody :is(th,.over){grid-column:1/-1}
.rows tbody tr:first-child{border-top:0}
.rows th,.rows td{border:0;padding:.1rem 0;width:auto;text-align:left}
.rows td[data-name]::before{content:attr(data-name) " ";color:var(--soft);font-size:.8125rem}
.compact tbody tr{display:flex;flex-wrap:wrap;padding-block:.4rem;gap:0 1rem}.compact tbody th{flex:1 1 100%}
td:has(.days)::before{content:"Probes, ${ROW_DAYS} days";color:var(--soft);font-size:.8125rem}
td .days{min-width:0}.rows .tight{white-space:normal}}
@media (max-width:34rem){
.axis span:nth-child(2):not(:last-child){display:none}
.tablebox:not(.rows) table{font-size:.8rem}
.tablebox:not(.rows) :is(th,td){padding-inline:.3rem}
.tablebox:not(.rows) :is(th,td):first-child{padding-left:.6rem}
.tablebox:not(.rows) :is(th,td):last-child{padding-right:.6rem}
.tablebox:not(.rows) thead th{white-space:normal;font-size:.72rem}}
@media (min-width:23rem){.whole{overflow-wrap:normal}}
@media (max-width:26rem){:is(#prices,#observed) :is(th,td):nth-child(3){display:none}}
@media (max-width:24rem){.opt{display:none}#observed :is(th,td){padding-inline:.15rem}
.tablebox:not(.rows) :is(th,td){padding-inline:.2rem}.tablebox:not(.rows) thead th{font-size:.66rem}.tablebox:not(.rows) .tight{white-space:normal}}
@media print{
:root{--bg:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--wash:#fff;--link:#000;--warn:#000;--warnbg:#fff;--ok:#555;--due:#000;--bad:#777;--off:#999}
.top nav,.top form,.skip,.bottom ul,.filters,.facets,.next,.jump,.follow,#sellers,.shown a{display:none}
main{padding-block:1rem}
.route,.panel,.levels li,tr{break-inside:avoid}
.said blockquote{max-height:none}
details::details-content{content-visibility:visible;block-size:auto}}
`

export const CSS = SOURCE.replace(/\n/g, '')
