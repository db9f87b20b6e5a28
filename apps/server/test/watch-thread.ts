/**
 * The longest uninterrupted computation of this thread, in milliseconds of processor time, so that other programs do
 * not count.
 */
export function watchThreadLoad() {
  let [longest, peak] = [0, 0]
  const before = process.memoryUsage().rss
  let last = process.threadCpuUsage()
  const timer = setInterval(() => {
    const now = process.threadCpuUsage()
    longest = Math.max(longest, (now.user + now.system - last.user - last.system) / 1000)
    last = now
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 2)
  return () => {
    clearInterval(timer)
    return { longest, grown: (peak - before) / 1_000_000 }
  }
}
