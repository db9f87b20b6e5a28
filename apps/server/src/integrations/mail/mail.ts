import { createTransport } from 'nodemailer'

export type MailAttachment = {
  filename: string
  content: string
  contentType: string
  /** For binary content. */
  encoding?: 'base64'
  /** The Content-ID by which the message itself displays it. */
  cid?: string
}

export type Mail = {
  to: string
  /** Reply-To address, if not the sender. */
  replyTo?: string
  subject: string
  text: string
  html: string
  attachments?: MailAttachment[]
  /** Identifies the message: sent twice, it has the same Message-ID, so that a mailbox may show it once. */
  id?: string
  /** URL to which a mail program posts to unsubscribe its reader (RFC 8058). */
  unsubscribe?: string
}
export type Mailer = { send(mail: Mail): Promise<void>; close(): void }

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }

const buildUnsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

/** Headers of every message, whichever server sends it. */
export const buildMailHeaders = (sender: string, { id, unsubscribe }: Pick<Mail, 'id' | 'unsubscribe'>) => ({
  ...(id && { messageId: `<${id}@${/@([\w.-]+)>?\s*$/.exec(sender)?.[1] ?? 'voisol.invalid'}>` }),
  // Prevents automatic out-of-office replies (RFC 3834).
  headers: { 'Auto-Submitted': 'auto-generated', ...(unsubscribe && buildUnsubscribeHeaders(unsubscribe)) },
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** The same SMTP client everywhere; in development and in tests it connects to a local server. */
export function openMailer(url: string, from: string, timeouts: Partial<typeof TIMEOUTS> = {}): Mailer {
  const transport = createTransport({ url, ...TIMEOUTS, ...timeouts })
  return {
    async send({ id, unsubscribe, ...mail }) {
      await transport.sendMail({ from, ...mail, ...buildMailHeaders(from, { id, unsubscribe }) })
    },
    close: () => transport.close(),
  }
}

/**
 * The server answers and will never accept this message: a bad address, a rejected content. A rejected sender is our
 * fault to fix, and is not permanent.
 */
export function isPermanentMailRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  const answer = 'responseCode' in error && error.responseCode ? Number(error.responseCode) : 550
  const sender = 'command' in error && error.command === 'MAIL FROM' && error.code === 'EENVELOPE'
  return (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') && !sender && answer >= 500
}
