/** Polls until there is a result. */
export async function waitUntil<T>(
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  ms = 30_000,
): Promise<T> {
  const deadline = Date.now() + ms
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() > deadline) throw new Error(`still waiting after ${ms} ms`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
