/** Milliseconds of processor that this process spends meanwhile: the clock would also count what else the machine does. */
export async function measureCpuMs(work: () => unknown): Promise<number> {
  const from = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1000
}
