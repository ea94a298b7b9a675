/** The verdict and what follows from it. */
export const PARTS_CSS = `
.verdict{padding-bottom:2rem;outline:none}
.sure{margin-bottom:.9rem}
.confidence,.state{display:inline-block;font-size:.75rem;font-weight:650;letter-spacing:.07em;text-transform:uppercase;line-height:1;padding:.4em .75em;border-radius:999px;border:1.5px solid var(--sure);color:var(--sure);white-space:nowrap}
.confidence.certain{background:var(--sure);color:var(--on-sure)}
.confidence.probable{background:var(--sure-tint)}
.confidence.possible{border-style:dashed}
.verdict>.sure .confidence,.state{font-size:.875rem}
.state.good{color:var(--good);border-color:var(--good);background:var(--good-tint)}
.state.open{color:var(--warn);border-color:var(--warn);background:var(--warn-tint)}
h1{font-size:clamp(1.6rem,1.15rem + 2.1vw,2.5rem);font-weight:680;letter-spacing:-.02em;line-height:1.14}
.verdict>.where{margin-top:.8rem;font-size:1.0625rem;color:var(--soft)}
.verdict.found>.where{display:flex;flex-wrap:wrap;gap:.3rem 1.1rem}
.where .hits{color:var(--bad);font-weight:600}
.verdict>.why{margin-top:1.1rem}
.tells{margin-top:1.5rem;border:1px solid var(--line);border-radius:12px;background:var(--surface);box-shadow:var(--shadow);padding:1rem 1.25rem 1.1rem}
.tells h2{font-size:.875rem;font-weight:600;color:var(--soft);margin-bottom:.5rem}
.recovered,.caveat{margin-top:1rem;padding:.6rem .9rem;border-radius:8px;background:var(--good-tint);color:var(--good)}
.caveat{background:var(--warn-tint);color:var(--warn)}
.onwards{margin-top:1.6rem;border:1px solid var(--line);border-radius:12px;background:var(--surface);box-shadow:var(--shadow)}
.next{display:grid;grid-template-columns:7.5rem minmax(0,1fr);gap:.2rem 1rem;padding:.85rem 1.1rem}
.next+.next{border-top:1px solid var(--line)}
.next dt{color:var(--soft);font-size:.875rem;padding-top:.1rem}
.next .command{margin-top:.5rem}
.others{margin-top:1.75rem}
.others h2{font-size:.875rem;font-weight:600;color:var(--soft);margin-bottom:.4rem}
.others li{display:flex;gap:.75rem;align-items:center;padding:.6rem 0;border-top:1px solid var(--line)}
.others a{display:flex;gap:.75rem;flex:1;min-width:0;color:inherit;text-decoration:none}
.others a:hover b{text-decoration:underline;text-underline-offset:.2em}
.others b{font-weight:600}
.others .place{display:block;font-size:.875rem}
.number{flex:none;display:inline-grid;place-items:center;min-width:1.5rem;height:1.5rem;padding:0 .3rem;border-radius:999px;background:var(--sunken);border:1px solid var(--line);color:var(--soft);font-size:.75rem;font-weight:600;font-variant-numeric:tabular-nums}
.incident{outline:none}
.incident:not(.first){margin-top:3rem;padding-top:2.25rem;border-top:2px solid var(--line)}
.incident h2{font-size:1.375rem;font-weight:650;letter-spacing:-.012em}
.incident h2 .place{display:block;font-size:.9375rem;font-weight:400;letter-spacing:0;margin-top:.2rem}
.incident h2 .number{align-self:flex-start;margin-top:.15rem}
.why{font-size:1.0625rem;max-width:42rem}
.incident:not(.first) .why{margin-top:1rem}
.why p+p{margin-top:.75rem}
.block{margin-top:2.25rem;outline:none}
.block>h3,.folded-body h3{font-size:1.0625rem;font-weight:650;margin-bottom:.75rem}
.claims{display:grid;gap:.9rem}
.claim{display:flex;gap:.75rem;outline-offset:4px;border-radius:6px}
.claim:target,.victim:target,.happening:target{background:var(--hit);box-shadow:0 0 0 .4rem var(--hit)}
.said{flex:1;min-width:0}
.says{font-weight:500}
.quiet .says{font-weight:400}
.cites{margin-top:.2rem;display:grid;gap:.15rem}
.cites li{display:flex;flex-wrap:wrap;gap:.05rem .75rem;align-items:baseline}
.cites q{flex:1 1 16rem;min-width:0;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.cite{white-space:normal}
.tag{display:inline-block;font-size:.75rem;font-weight:500;color:var(--soft);border:1px solid var(--line);border-radius:5px;padding:0 .4em;line-height:1.5;vertical-align:.06em;background:var(--surface)}
.tag.strong{color:var(--ink);border-color:var(--calm)}
.looked .name,.looked .cite{font-size:.9em}
.more{margin-top:.5rem}
summary{cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
.more>summary{display:inline-flex;align-items:center;color:var(--link);font-size:.875rem;padding:.2rem 0}
.more>summary::before,.fold>summary::before,.rival>summary::before,.folded>summary .number::after{content:"";flex:none;width:.4em;height:.4em;border:solid currentColor;border-width:0 1.5px 1.5px 0;transform:rotate(-45deg);margin:0 .65em 0 .15em}
details[open]>summary::before{transform:rotate(45deg) translate(-.08em,-.08em)}
.more[open]>:not(summary){margin-top:.5rem}
.rival{border:1px solid var(--line);border-radius:10px;background:var(--surface);padding:.2rem 1rem}
.rival+.rival{margin-top:.5rem}
.rival>summary{display:flex;gap:.5rem;align-items:center;padding:.55rem 0}
.rival>.claims{padding:.4rem 0 .8rem}
.victims{margin-top:1rem}
.more .victims{margin-top:0}
.victim{display:flex;flex-wrap:wrap;gap:.1rem 1rem;align-items:baseline;padding:.4rem 0;border-top:1px solid var(--line);outline-offset:2px}
.victim .trouble{color:var(--bad);font-size:.875rem;margin-left:.35rem}
.chain{border-left:2px solid var(--line);margin-left:.4rem;display:grid;gap:1.1rem}
.chain>li{position:relative;padding-left:1.25rem}
.chain>li::before{content:"";position:absolute;left:-7px;top:.45em;width:10px;height:10px;border-radius:50%;background:var(--surface);border:2px solid var(--calm)}
.chain>.root::before{background:var(--bad);border-color:var(--bad)}
.chain .place{display:block;font-size:.875rem}
.chain p{color:var(--soft);font-size:.9375rem;margin-top:.2rem}
.chain>.last{color:var(--bad);font-weight:600}
`;
