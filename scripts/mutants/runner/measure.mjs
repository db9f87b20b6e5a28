const SUITE_MS = 600_000

/**
 * How long each suite takes as the code stands; a suite that fails then would catch anything, which proves nothing. All of
 * a job's share run in one process, which loads the server once.
 */
export async function measure(jobs, rows, known) {
  const tests = [...new Set(rows.flatMap((row) => row.tests))]
  const took = new Map(tests.map((test) => [test, known.of(test)]).filter(([, ms]) => ms !== undefined))
  const red = []
  const waiting = tests.filter((test) => !took.has(test))
  const shares = jobs.map((_, nth) => waiting.filter((_, at) => at % jobs.length === nth))
  const look = async (job, share) => {
    const { verdict, message, suites = [] } = await job.runTogether(share, SUITE_MS * share.length)
    if (verdict !== 'together') return red.push(`${share.join(', ')}\u00a0: ${message ?? verdict}`)
    for (const { test, ms, fault } of suites) {
      if (fault) red.push(`${test}\u00a0: ${fault}`)
      else known.add(test, ms)
      took.set(test, ms)
    }
  }
  await Promise.all(jobs.map((job, nth) => shares[nth].length && look(job, shares[nth])))
  return { took, red }
}
