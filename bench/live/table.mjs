/** server | who | CPU s | peak MB | ratio to `kubectl get pods` | requests */
export function printTable(rows) {
  const base = Object.fromEntries(rows.filter(({ who }) => who.startsWith('kubectl get pods -A')).map(({ server, cpu }) => [server, cpu]));
  const cells = rows.map(({ server, who, cpu, megabytes, requests }) => [
    server,
    who,
    cpu.toFixed(1),
    megabytes.toFixed(0),
    (cpu / base[server]).toFixed(2),
    String(requests),
  ]);
  const all = [['server', 'who', 'CPU s', 'peak MB', 'ratio to kubectl', 'requests'], ...cells];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  for (const row of all) {
    console.log(row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join(' | '));
  }
}
