import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A message as received: the sender and the accepted recipients of its envelope. */
export type ReceivedMail = { raw: Buffer; from: string; to: string[] }
/** Whether a mail could be read: an unreadable one is refused permanently. */
export type MailOutcome = 'taken' | 'unreadable'
export type MailReceiver = { port: number; close(): Promise<void> }
type MailReceiverOptions = {
  host: string
  port: number
  /** Whether the address belongs to this installation: others are refused before the content is read. */
  knows: (address: string) => boolean
  /** The message is stored once this returns, readable or not; an exception makes the sender retry later. */
  take: (arrived: ReceivedMail) => Promise<MailOutcome>
  failed: (error: unknown) => void
}

const MAX_MAIL_BYTES = 25_000_000
const MAX_RECIPIENTS = 5
const MAX_CLIENTS = 20
const SILENCE_MS = 60_000

const createSmtpError = (code: number, words: string) => Object.assign(new Error(words), { responseCode: code })

/**
 * Receives mail over SMTP from the operator's mail server: it listens without encryption or authentication, and accepts
 * only addresses that this process generated.
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
