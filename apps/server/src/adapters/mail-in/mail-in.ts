import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A message as it arrived: who its envelope says sent it, and for whom it was let in. */
export type ReceivedMail = { raw: Buffer; from: string; to: string[] }
/** Whether a mail was understood: one that never will be is refused for good. */
export type MailOutcome = 'taken' | 'unreadable'
export type MailReceiver = { port: number; close(): Promise<void> }
type MailReceiverOptions = {
  host: string
  port: number
  /** Whether somebody here answers to that address: anything else is refused before a word of it is read. */
  knows: (address: string) => boolean
  /** Kept once it returns, readable or not; what it throws is told to the sender, who tries again later. */
  take: (arrived: ReceivedMail) => Promise<MailOutcome>
  failed: (error: unknown) => void
}

export const MAX_MAIL_BYTES = 25_000_000
const MAX_RECIPIENTS = 5
const MAX_CLIENTS = 20
const SILENCE_MS = 60_000

const createSmtpError = (code: number, words: string) => Object.assign(new Error(words), { responseCode: code })

/**
 * Receives mail over SMTP, from the mail server of whoever runs the installation: it listens beside it, without
 * encryption nor sign-in of its own, and takes what is written to addresses that this process made.
 */
export async function openMailReceiver({
  host,
  port,
  knows,
  take,
  failed,
}: MailReceiverOptions): Promise<MailReceiver> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    banner: 'Voisol',
    logger: false,
    size: MAX_MAIL_BYTES,
    maxClients: MAX_CLIENTS,
    socketTimeout: SILENCE_MS,
    disableReverseLookup: true,
    onRcptTo({ address }, session, done) {
      if (session.envelope.rcptTo.length >= MAX_RECIPIENTS) return done(createSmtpError(452, 'Too many recipients'))
      done(knows(address) ? undefined : createSmtpError(550, 'No such address here'))
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      let size = 0
      stream.on('data', (chunk: Buffer) => {
        size += chunk.byteLength
        if (size <= MAX_MAIL_BYTES) chunks.push(chunk)
      })
      stream.on('end', () => {
        if (size > MAX_MAIL_BYTES) return done(createSmtpError(552, 'Message too large'))
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        take({ raw: Buffer.concat(chunks), from, to: envelope.rcptTo.map(({ address }) => address) }).then(
          (reading) => done(reading === 'taken' ? undefined : createSmtpError(554, 'This message cannot be read here')),
          (error: unknown) => {
            failed(error)
            done(createSmtpError(451, 'Try again later'))
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
