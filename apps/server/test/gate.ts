import { connect, createServer, type Socket } from 'node:net'

type Pair = { client: Socket; behind: Socket }

/** A door before PostgreSQL that can be shut, or go silent, and open again. */
export async function openGate(socketPath: string) {
  const pairs = new Set<Pair>()
  let state: 'open' | 'shut' | 'silent' = 'open'

  const join = ({ client, behind }: Pair) => {
    client.pipe(behind)
    behind.pipe(client)
  }
  const part = ({ client, behind }: Pair) => {
    client.unpipe().pause()
    behind.unpipe().pause()
  }
  const server = createServer((client) => {
    if (state === 'shut') return client.destroy()
    const pair = { client, behind: connect(socketPath) }
    pairs.add(pair)
    for (const [one, other] of [
      [pair.client, pair.behind],
      [pair.behind, pair.client],
    ] as const)
      one
        .on('error', () => {})
        .on('close', () => {
          pairs.delete(pair)
          other.destroy()
        })
    if (state === 'open') join(pair)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' ? address?.port : 0,
    open: () => {
      // What went silent before stays so, as after a route that was lost: only who comes now is let through.
      state = 'open'
    },
    shut: () => {
      state = 'shut'
      for (const { client, behind } of pairs) {
        client.destroy()
        behind.destroy()
      }
    },
    /** Nothing passes any more, in either direction, and nobody is told. */
    silence: () => {
      state = 'silent'
      for (const pair of pairs) part(pair)
    },
    /** The same for whoever came last, alone. */
    silenceLast: () => {
      const last = [...pairs].at(-1)
      if (last) part(last)
    },
    /** What went silent goes on where it was. */
    resume: () => {
      state = 'open'
      for (const pair of pairs) join(pair)
    },
    close: () => server.close(),
  }
}
