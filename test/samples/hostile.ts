import type { Report } from '../../src/model/report.ts';
import { ask, cite, incident, point, reason, report, victim } from './build.ts';

const ESC = '\u001b';
const LONG = `level=error msg="${'x'.repeat(480)}" end`;
const RED = `${ESC}[31mred${ESC}[0m ${ESC}]8;;http://evil.example\u0007click${ESC}]8;;\u0007 ${ESC}]0;owned\u0007\u009b2Jcleared`;
const BIDI = 'user\u202etxt.exe\u2066 hidden\u2069 \u200bzero\ufeff';
const HTML = '<script>alert(1)</script> <img src=x onerror=alert(2)> </details></summary>';
const MARKDOWN =
  '# heading\n- item\n![pic](http://evil.example/p.png) [link](javascript:alert(1)) @everyone #12 ```` ~~~ | a | b | $x$ :tada: &lt;b&gt; www.evil.example';
const CJK = '节点「工作机二」的容器运行时没有使用系统控制组驱动，因此所有容器每隔几分钟就会被停止一次。';

export const hostileReport: Report = report({
  verdict: 'found',
  incidents: [
    incident({
      number: 1,
      cause: 'not-in-catalogue',
      area: 'unknown',
      title: `${RED} ${HTML}`,
      why: `${CJK} ${MARKDOWN} ${BIDI}`,
      place: `pod ${BIDI}`,
      placeId: 'Pod/default/web-0',
      confidence: 'possible',
      chain: [
        {
          cause: 'x',
          title: `${RED}${MARKDOWN}`,
          why: HTML,
          place: CJK,
          confidence: 'possible',
          because: [reason('a', 'supports', MARKDOWN, [cite(HTML, 1, RED)])],
        },
      ],
      victims: [
        victim('default', `web-0${ESC}[2J`, 'crash-loop', [cite('a\nb.txt', 1, RED)], { detail: HTML, node: BIDI, through: 'x' }),
        victim('默认命名空间', '一个名字非常非常非常长的容器组用来测试宽度计算是否正确的例子', 'oom', []),
        victim('default', 'n'.repeat(300), 'failed', []),
      ],
      because: [
        reason('esc', 'supports', `says ${RED}`, [cite('app.log', 3, RED)]),
        reason('html', 'supports', HTML, [cite('<b>.log', 4, HTML)]),
        reason('markdown', 'supports', MARKDOWN, [
          cite('`x`.md', 5, MARKDOWN),
          point('pods.json', '/items/7/status/<script>/lastState', '````'),
        ]),
        reason('long', 'supports', `w${'o'.repeat(200)}rd`, [cite(`${'deep/'.repeat(40)}app.log`, 6, LONG)]),
        reason('cjk', 'supports', CJK, [cite('日志文件.log', 7, CJK.repeat(6))]),
        reason('empty', 'supports', '', []),
      ],
      not: [{ says: `1. ${MARKDOWN}`, cited: [], looked: [`${HTML}:1-2`] }],
      rivals: [{ cause: 'y', title: HTML, place: RED, confidence: 'possible', because: [reason('b', 'supports', BIDI, [])] }],
      asks: [ask(`- ${MARKDOWN}`, `cat <<'EOF' | grep '\`\`\`'\n${ESC}[2J${HTML}\nEOF`, `worker${ESC}[2J`, 'container-log', [])],
      fixes: [
        {
          title: MARKDOWN,
          risk: 'may-lose-data',
          steps: [{ say: HTML, command: `echo ${RED}\necho two`, on: 'node', family: '<i>' }],
          verified: BIDI,
        },
      ],
      timeline: [{ at: 8.64e18, what: HTML, about: RED, tone: 'bad', count: 1, cited: [] }],
      recovered: MARKDOWN,
    }),
  ],
  history: [{ says: MARKDOWN, about: 'x', cited: [cite('x', 1, RED)] }],
  ruledOut: [{ cause: 'z', name: HTML, place: RED, because: { says: MARKDOWN, cited: [cite('x', 1, LONG)], looked: [] } }],
  coverage: {
    documents: 1,
    lines: 7,
    bytes: 900,
    pods: 3,
    nodes: 0,
    redactions: 0,
    looked: [{ channel: 'prose', about: RED, extent: 'excerpt', docs: [HTML] }],
    pieces: [{ doc: HTML, lines: [1, 2], what: RED }],
    unrecognised: [{ doc: RED, lines: [1, 2], bytes: 12, firstLine: `${MARKDOWN}${RED}` }],
    unread: [{ doc: `${BIDI}.gz`, why: HTML }],
  },
  excerpts: [{ doc: 'app.log', first: 1, lines: [RED, HTML, '```', MARKDOWN] }],
  failures: [{ cause: RED, message: HTML }],
});
