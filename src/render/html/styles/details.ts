/** Commands, fixes, folds and the evidence. */
export const DETAILS_CSS = `
.asks,.steps{display:grid;gap:1.1rem;counter-reset:step}
.ask .note{margin-top:.3rem}
.command{position:relative;margin-top:.4rem;border:1px solid var(--line);border-radius:8px;background:var(--sunken);display:flex;align-items:flex-start}
.command pre{flex:1;min-width:0;padding:.55rem .8rem;white-space:pre-wrap;line-height:1.5;border-radius:8px;tab-size:4}
.copy{flex:none;margin:.3rem;border:1px solid var(--line);background:var(--surface);border-radius:6px;font-size:.8125rem;padding:.15rem .6rem;color:var(--soft);min-width:4.25rem;min-height:1.9rem}
.copy:hover{color:var(--ink);border-color:var(--calm)}
.copy.done{color:var(--good);border-color:var(--good)}
.fix{border:1px solid var(--line);border-radius:12px;background:var(--surface);padding:1.1rem 1.25rem}
.fix+.fix{margin-top:.75rem}
.fix>header{display:flex;flex-wrap:wrap;gap:.4rem .9rem;align-items:center;margin-bottom:.9rem}
.fix h4{font-size:1rem;font-weight:600;flex:1 1 16rem}
.risk{display:inline-block;flex:none;font-size:.8125rem;font-weight:550;border-radius:6px;padding:.1em .6em;color:var(--warn);background:var(--warn-tint);white-space:nowrap}
.risk.calm{color:var(--good);background:var(--good-tint)}
.risk.danger{color:var(--bad);background:var(--bad-tint);font-weight:650}
.families{display:flex;flex-wrap:wrap;gap:.25rem;margin-bottom:.9rem;border-bottom:1px solid var(--line)}
.families button{border:0;background:none;padding:.35rem .7rem;font-size:.875rem;color:var(--soft);border-bottom:2px solid transparent;margin-bottom:-1px}
.families [aria-pressed=true]{color:var(--ink);border-color:var(--link);font-weight:550}
.step{counter-increment:step;display:grid;grid-template-columns:1.75rem minmax(0,1fr)}
.step::before{content:counter(step);color:var(--soft);font-variant-numeric:tabular-nums;font-weight:600;grid-row:1}
.variant>.tag{margin-top:.4rem}
.verified{margin-top:1.1rem;padding-top:.8rem;border-top:1px solid var(--line);font-size:.9375rem}
.verified b{color:var(--good);font-weight:600;margin-right:.35em}
.folds{margin-top:3rem;border-top:1px solid var(--line)}
.fold{border-bottom:1px solid var(--line)}
.fold>summary{display:flex;align-items:center;gap:.25rem;padding:.85rem 0}
.fold>summary h2{font-size:1rem;font-weight:600;flex:1}
.folded-body{padding:.25rem 0 1.5rem 1.1rem}
.folded-body h3{margin-top:1.25rem}
.folded>summary{outline-offset:6px}
.folded-body .victims{margin-top:0}
.folded-body :is(.victim,.rows li):first-child{border-top:0}
.bare{display:grid;gap:1.5rem}
.open-case>.note{margin-top:.5rem}
.open-case .asks{margin-top:.75rem}
.rows li{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.1rem 1rem;padding:.35rem 0;border-top:1px solid var(--line)}
table{width:100%;border-collapse:collapse;font-size:.875rem;table-layout:fixed}
th{text-align:left;font-weight:500;color:var(--soft)}
th,td{padding:.4rem .75rem .4rem 0;vertical-align:top;border-bottom:1px solid var(--line)}
.extent.partly{color:var(--warn)}
.evidence{outline:none;min-width:0}
.panel>header{display:flex;gap:.75rem;align-items:baseline;margin-bottom:.9rem}
.panel h2{font-size:1.0625rem;font-weight:650}
.panel [data-wrap]{margin-left:auto}
.file{margin-bottom:1.5rem;border:1px solid var(--line);border-radius:10px;background:var(--surface);overflow:clip}
.file h3{font-size:.8125rem;font-weight:600;padding:.5rem .8rem;background:var(--sunken);border-bottom:1px solid var(--line)}
.lines,.quotes{font-size:.78rem;line-height:1.6;padding:.35rem 0;tab-size:4}
.line{display:grid;grid-template-columns:3.4rem minmax(0,1fr);padding-right:.6rem;border-left:3px solid transparent;color:var(--soft)}
.line .text,.loose .text{white-space:pre-wrap;overflow:hidden}
.js .panel:not(.wrapped) .line:not(.hit) .text{white-space:pre;text-overflow:ellipsis}
.at{text-align:right;padding-right:.8rem;color:var(--soft);text-decoration:none;user-select:none;font-size:1em}
.hit{background:var(--hit);color:var(--ink);border-left:3px solid var(--mark)}
mark{background:var(--mark);color:var(--on-mark);border-radius:2px;padding:.05em 0}
.hit:target,.hit.lit,.line:target{background:color-mix(in srgb,var(--mark) 45%,var(--surface));border-left-color:var(--warn);color:var(--ink)}
.gap{padding-left:2rem;color:var(--soft);line-height:1.3}
.loose{padding:.35rem .8rem;font-size:1em}
.loose+.loose{margin-top:.35rem}
.loose .where{display:block;color:var(--soft);font-size:.95em}
.backs{display:inline-flex;gap:.2rem;margin-left:.35rem;vertical-align:.05em;white-space:nowrap;user-select:none}
.backs a,.backs span{font:600 .6875rem/1.35 system-ui,sans-serif;min-width:1.35rem;text-align:center;border:1px solid var(--line);border-radius:999px;padding:0 .3rem;background:var(--surface);color:var(--link);text-decoration:none}
.backs a:hover{border-color:var(--link)}
@media (max-width:40rem){
.next{grid-template-columns:minmax(0,1fr)}
.fix{padding:1rem}
.folded-body{padding-left:0}
.incident h2.row{flex-wrap:wrap}
.others li{flex-wrap:wrap}
.others a{flex-basis:100%}
.others .confidence{margin-left:2.25rem}
.line{grid-template-columns:2.6rem minmax(0,1fr)}
.at{padding-right:.55rem}
td:nth-child(4),th:nth-child(4){display:none}
.copy,.plain,.families button{min-height:2.4rem}
}
`;
