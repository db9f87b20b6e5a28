const HEAD = ['Étape', 'secondes', 'réussis', 'échoués', 'ignorés']

const rowOf = ({ title, seconds, passed, failed, skipped, reason }) =>
  reason
    ? [title, '—', reason]
    : [title, seconds.toFixed(0), passed, failed, passed + failed ? skipped : `${skipped}, aucun test n’a tourné`]

/** What each step took and gave, one line each. */
export function printTable(results) {
  const rows = [HEAD, ...results.map(rowOf)].map((row) => row.map(String))
  const widths = HEAD.map((_, n) => Math.max(...rows.map((row) => (row.length === HEAD.length ? row[n].length : 0))))
  widths[0] = Math.max(...rows.map(([title]) => title.length))
  const line = (row) => row.map((cell, n) => (n ? cell.padStart(widths[n]) : cell.padEnd(widths[0]))).join('  ')
  for (const row of rows) console.log(line(row).trimEnd())
}
