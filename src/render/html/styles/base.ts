/** Page, type and frame of everything. */
export const BASE_CSS = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:5.75rem}
body{margin:0;background:var(--ground);color:var(--ink);font:400 1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;overflow-wrap:anywhere;accent-color:var(--link)}
h1,h2,h3,h4,p,ol,ul,dl,dd,figure,pre{margin:0}
ol,ul{padding:0;list-style:none}
h1,h2,h3,h4{line-height:1.25;text-wrap:balance}
code,kbd,pre,q,.cite,.name,.at,.lines,.loose{font-family:ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;font-size:.86em;unicode-bidi:isolate}
pre code,.name code,.lines .text,.loose .text{font-size:1em}
p code,h1 code,h2 code,h3 code,b code,li>code{background:var(--sunken);border-radius:4px;padding:.08em .3em}
h1 code{font-size:.9em}
q{quotes:none;color:var(--soft)}
q::before,q::after{content:none}
a{color:var(--link);text-decoration:underline;text-decoration-color:color-mix(in srgb,currentColor 35%,transparent);text-underline-offset:.2em}
a:hover{text-decoration-color:currentColor}
button{font:inherit;color:inherit;cursor:pointer}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:4px}
[tabindex="-1"]:focus:not(:focus-visible){outline:none}
[hidden]{display:none!important}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:fixed;left:1rem;top:-4rem;z-index:9;background:var(--surface);border:1px solid var(--line);border-radius:8px;padding:.5rem .9rem}
.skip:focus{top:.6rem}
.note,.looked{color:var(--soft);font-size:.875rem}
.place{color:var(--soft);unicode-bidi:isolate}
.grow{flex:1 1 auto;min-width:0}
.row{display:flex;gap:.75rem;align-items:baseline}
.bar{position:sticky;top:0;z-index:3;display:flex;gap:.9rem;align-items:center;min-height:3.25rem;padding:.4rem clamp(1rem,3vw,2.5rem);background:color-mix(in srgb,var(--ground) 92%,transparent);backdrop-filter:blur(8px);border-bottom:1px solid var(--line)}
.brand{flex:none;font-weight:650;letter-spacing:-.01em}
.bar .read{margin-left:auto;white-space:nowrap}
.bar .counts{overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2}
.plain{border:1px solid var(--line);background:var(--surface);border-radius:8px;padding:.25rem .6rem;font-size:.8125rem;color:var(--soft)}
.plain:hover{color:var(--ink);border-color:var(--calm)}
.theme{display:grid;place-items:center;padding:.35rem;min-width:2.25rem;min-height:2.25rem}
.page{max-width:92rem;margin:0 auto;padding:0 clamp(1rem,3vw,2.5rem)}
main{min-width:0;max-width:47rem;margin:0 auto;padding:clamp(1.5rem,4vw,3rem) 0 2rem;outline:none}
footer{max-width:92rem;margin:0 auto;padding:1.5rem clamp(1rem,3vw,2.5rem) 3rem;color:var(--soft);font-size:.8125rem;display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;border-top:1px solid var(--line)}
kbd{border:1px solid var(--line);border-radius:4px;padding:0 .35em;background:var(--surface)}
html:not(.js) :is(.theme,.copy,.families,.keys,[data-wrap]){display:none}
@media (min-width:68rem){
.page:not(.alone){display:grid;grid-template-columns:minmax(0,1fr) minmax(24rem,36%);gap:clamp(1.5rem,3vw,3.5rem)}
.page:not(.alone) main{margin:0 0 0 auto;width:100%}
.evidence{border-left:1px solid var(--line);margin-right:calc(-1*clamp(1rem,3vw,2.5rem))}
.panel{position:sticky;top:3.25rem;height:calc(100vh - 3.25rem);overflow-y:auto;overscroll-behavior:contain;padding:1.5rem clamp(1rem,2vw,1.75rem) 40vh;scroll-padding-top:2.5rem}
}
@media (max-width:40rem){
.bar{position:static;min-height:2.75rem}
html{scroll-padding-top:1rem}
.bar .read{display:none}
.bar .theme{margin-left:auto}
}
@media (prefers-reduced-motion:no-preference){
html,.panel{scroll-behavior:smooth}
.lit,.line,.loose,.mark{transition:background-color .2s}
}
`;
