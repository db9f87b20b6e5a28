/** Hands the items out to the jobs as they become free. */
export async function share(jobs, items, work) {
  const waiting = [...items]
  const take = async (job) => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(job, item)
  }
  await Promise.all(jobs.map(take))
}
