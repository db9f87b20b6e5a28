/**
 * Processor time in milliseconds of this process during the work: elapsed time would include other load of the machine.
 */
export async function measureCpuMs(work: () => unknown): Promise<number> {
  const from = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1000
}
