import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A message as it arrived: who its envelope says sent it, and for whom it was let in. */
export type Arrived = { raw: Buffer; from: string; to: string[] }
/** Whether a mail was understood: one that never will be is refused for good. */
export type Reading = 'taken' | 'unreadable'
export type Reception = { port: number; close(): Promise<void> }
type Options = {
  host: string
  port: number
  /** Whether somebody here answers to that address: anything else is refused before a word of it is read. */
  knows: (address: string) => boolean
  /** Kept once it returns, readable or not; what it throws is told to the sender, who tries again later. */
  take: (arrived: Arrived) => Promise<Reading>
  failed: (error: unknown) => void
}

export const MOST_BYTES = 25_000_000
const MOST_RECIPIENTS = 5
const MOST_CLIENTS = 20
const SILENCE_MS = 60_000

const refusal = (code: number, words: string) => Object.assign(new Error(words), { responseCode: code })

/**
 * Receives mail over SMTP, from the mail server of whoever runs the installation: it listens beside it, without
 * encryption nor sign-in of its own, and takes what is written to addresses that this process made.
 */
export async function openReception({ host, port, knows, take, failed }: Options): Promise<Reception> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    banner: 'Voisol',
    logger: false,
    size: MOST_BYTES,
    maxClients: MOST_CLIENTS,
    socketTimeout: SILENCE_MS,
    disableReverseLookup: true,
    onRcptTo({ address }, session, done) {
      if (session.envelope.rcptTo.length >= MOST_RECIPIENTS) return done(refusal(452, 'Too many recipients'))
      done(knows(address) ? undefined : refusal(550, 'No such address here'))
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      let size = 0
      stream.on('data', (chunk: Buffer) => {
        size += chunk.byteLength
        if (size <= MOST_BYTES) chunks.push(chunk)
      })
      stream.on('end', () => {
        if (size > MOST_BYTES) return done(refusal(552, 'Message too large'))
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        take({ raw: Buffer.concat(chunks), from, to: envelope.rcptTo.map(({ address }) => address) }).then(
          (reading) => done(reading === 'taken' ? undefined : refusal(554, 'This message cannot be read here')),
          (error: unknown) => {
            failed(error)
            done(refusal(451, 'Try again later'))
          },
        )
      })
    },
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
  server.on('error', failed)
  return {
    port: (server.server.address() as AddressInfo).port, // listening on TCP
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
