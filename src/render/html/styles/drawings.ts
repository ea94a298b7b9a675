/** The picture, the timeline and paper. */
export const DRAWINGS_CSS = `
.picture svg{display:block;max-width:100%;height:auto}
.picture .wide{width:100%}
.picture .narrow{display:none;margin:0 auto}
.picture text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;fill:var(--ink)}
.picture .frame{fill:var(--ground);stroke:var(--line)}
.picture .depth-0{fill:var(--sunken)}
.picture .depth-1{fill:var(--surface)}
.picture .depth-2{fill:var(--ground)}
.picture .kind{font-size:10.5px;letter-spacing:.06em;font-weight:600;fill:var(--soft)}
.picture .frame-name,.picture .tile-name{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:12px}
.picture .frame-name{font-weight:600}
.picture .part{fill:var(--sunken);stroke:var(--line);stroke-width:1.2}
.picture .part-name{font-size:13.5px;font-weight:600}
.picture .small{font-size:11.5px;fill:var(--soft)}
.picture .trouble{font-size:11.5px;fill:var(--bad)}
.picture .faulty{fill:var(--bad-tint);stroke:var(--bad);stroke-width:2}
.picture .bolt-ground{fill:var(--bad)}
.picture .bolt{fill:var(--bad-tint)}
.picture .tile{fill:var(--surface);stroke:color-mix(in srgb,var(--bad) 45%,var(--line))}
.picture .tile.rest{stroke-dasharray:4 3}
.picture .lines{fill:none;stroke:var(--bad);stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}
.picture .dashed{stroke-dasharray:1 4.5;stroke-width:2}
.picture .end{fill:var(--bad)}
.chart{border:1px solid var(--line);border-radius:12px;background:var(--surface);padding:.8rem 1.1rem .6rem}
.chart+.chart{margin-top:.75rem}
.chart>.note{font-size:.8125rem;margin-bottom:.4rem}
.lane{display:grid;grid-template-columns:minmax(0,13rem) minmax(0,1fr);gap:1rem;align-items:center;padding:.3rem 0}
.lane+.lane{border-top:1px solid var(--line)}
.lane .about{font-size:.78rem;line-height:1.35}
.track{display:block;overflow:visible;min-width:0}
.track .grid line{stroke:var(--line);stroke-dasharray:2 3}
.ticks text{font-size:11px;fill:var(--soft)}
.glyph{overflow:visible}
.mark{fill:var(--calm);outline:none;cursor:pointer;text-decoration:none}
.mark .reach{fill:transparent}
.mark text{font-size:11px;fill:var(--soft);font-variant-numeric:tabular-nums}
.mark.bad,.key.bad{fill:var(--bad)}
.mark.warn,.key.warn{fill:var(--warn)}
.key.normal{fill:var(--calm)}
.mark:is(:hover,:focus-visible) .reach{fill:color-mix(in srgb,var(--link) 16%,transparent);stroke:var(--link);stroke-width:1.5;rx:5px}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;margin-top:.5rem;font-size:.8125rem;color:var(--soft)}
.legend span{display:inline-flex;gap:.35rem;align-items:center}
.happening{display:grid;grid-template-columns:9.5rem minmax(0,1fr) auto;gap:.1rem 1rem;align-items:baseline;padding:.4rem 0;border-top:1px solid var(--line);font-size:.9375rem;outline-offset:2px}
.happening .when{color:var(--soft);font-size:.875rem;font-variant-numeric:tabular-nums}
.happening .what::before{content:"";display:inline-block;width:.55rem;height:.55rem;border-radius:50%;background:var(--calm);margin-right:.55rem}
.happening.bad .what::before{background:var(--bad);border-radius:0;transform:rotate(45deg)}
.happening.warn .what::before{background:var(--warn);border-radius:0;clip-path:polygon(50% 0,100% 100%,0 100%)}
.happening .about{color:var(--soft);margin-left:.3rem}
.tip{position:fixed;z-index:8;max-width:min(22rem,calc(100vw - 1.5rem));pointer-events:none;background:var(--ink);color:var(--ground);border-radius:8px;padding:.5rem .75rem;font-size:.875rem;line-height:1.4;box-shadow:var(--shadow)}
.tip b,.tip span{display:block}
.tip b{font-weight:600}
@media (max-width:40rem){
.picture .wide{display:none}
.picture .narrow{display:block}
.chart{padding:.7rem .8rem .5rem}
.lane{grid-template-columns:minmax(0,1fr);gap:.15rem}
.lane.ticks>span{display:none}
.happening{grid-template-columns:minmax(0,1fr)}
}
@media print{
@page{margin:16mm}
html{font-size:10pt}
body{background:#fff}
footer{padding:1rem 0 0;max-width:none}
.bar{padding:0 0 .4rem}
.bar{position:static;background:none}
.theme,.copy,.families,.skip,.keys,.tip,[data-wrap]{display:none!important}
.page,.page:not(.alone){display:block;padding:0}
main{max-width:none}
.panel{position:static;height:auto;overflow:visible;padding:0}
.evidence{border:0;margin:0;break-before:page}
.onwards,.fix{box-shadow:none}
.line .text,.js .panel .line .text{white-space:pre-wrap!important}
.cites q{display:block;overflow:visible}
.step[hidden]{display:grid!important}
.variant[hidden]{display:block!important}
details::details-content{content-visibility:visible;display:block;height:auto}
.claim,.victim,.step,.ask,.happening,.picture,.chart,.onwards,.rival{break-inside:avoid}
h1,h2,h3,h4,summary{break-after:avoid}
.hit,mark,.confidence,.risk,.picture,.chart,.legend,.happening{print-color-adjust:exact;-webkit-print-color-adjust:exact}
a{color:inherit}
}
`;
