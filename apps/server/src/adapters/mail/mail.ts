import { createTransport } from 'nodemailer'

export type MailAttachment = {
  filename: string
  content: string
  contentType: string
  /** Where the content is bytes. */
  encoding?: 'base64'
  /** By which the message itself shows it. */
  cid?: string
}

export type Mail = {
  to: string
  /** Where an answer goes, if not to the sender. */
  replyTo?: string
  subject: string
  text: string
  html: string
  attachments?: MailAttachment[]
  /** Names the message: sent twice, it carries the same Message-ID and a mailbox may show it once. */
  id?: string
  /** Where a mail program posts that its reader wants no more of them (RFC 8058). */
  unsubscribe?: string
}
export type Mailer = { send(mail: Mail): Promise<void>; close(): void }

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }

const buildUnsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

/** What every message of ours bears, whoever carries it. */
export const buildMailHeaders = (sender: string, { id, unsubscribe }: Pick<Mail, 'id' | 'unsubscribe'>) => ({
  ...(id && { messageId: `<${id}@${/@([\w.-]+)>?\s*$/.exec(sender)?.[1] ?? 'voisol.invalid'}>` }),
  // Nobody's « absent du bureau » should come back.
  headers: { 'Auto-Submitted': 'auto-generated', ...(unsubscribe && buildUnsubscribeHeaders(unsubscribe)) },
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** Real SMTP everywhere; in development and in tests the server at the other end is a local one. */
export function openMailer(url: string, from: string, timeouts: Partial<typeof TIMEOUTS> = {}): Mailer {
  const transport = createTransport({ url, ...TIMEOUTS, ...timeouts })
  return {
    async send({ id, unsubscribe, ...mail }) {
      await transport.sendMail({ from, ...mail, ...buildMailHeaders(from, { id, unsubscribe }) })
    },
    close: () => transport.close(),
  }
}

/** The server is there and will never take this message: a bad address, a content it rejects. A sender it rejects is ours to mend. */
export function isPermanentMailRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  const answer = 'responseCode' in error && error.responseCode ? Number(error.responseCode) : 550
  const sender = 'command' in error && error.command === 'MAIL FROM' && error.code === 'EENVELOPE'
  return (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') && !sender && answer >= 500
}
