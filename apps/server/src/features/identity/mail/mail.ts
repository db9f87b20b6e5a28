import type { Db } from '../../../db/client.ts'
import type { Mail } from '../../../integrations/mail/mail.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Secrets } from '../../../secrets.ts'

export const MAIL_SEAL_CONTEXT = 'mail'

type SendMailOptions = {
  id?: string
  /** The company of the message, whose own mail server is used if it has one. */
  companyId?: number
  /**
   * Uses the installation's own mail server whatever the company has configured: for messages with a token or about
   * account security, because whoever runs the company's mail server can read them.
   */
  sender?: 'installation'
}

/**
 * Queues a message that is sent once the caller's transaction is committed. It is encrypted in the queue, because it
 * may contain a sign-in link.
 */
export const sendMail = (
  tx: Db,
  secrets: Secrets,
  mail: Omit<Mail, 'id'>,
  { companyId, id, sender }: SendMailOptions = {},
) => {
  const sealed = secrets.seal(JSON.stringify(mail), MAIL_SEAL_CONTEXT)
  return enqueue(
    tx,
    'mail.send',
    { sealed, ...(companyId && { companyId }), ...(sender && { sender }) },
    id ? { id } : {},
  )
}

/** Decrypts a queued message; undefined when it was encrypted with another key. */
export function unsealMail(secrets: Secrets, data: unknown): Pick<Mail, 'to' | 'subject'> | undefined {
  const sealed = typeof data === 'object' && data !== null && 'sealed' in data ? String(data.sealed) : ''
  try {
    const { to, subject }: Mail = JSON.parse(secrets.open(sealed, MAIL_SEAL_CONTEXT))
    return { to, subject }
  } catch {
    return undefined
  }
}
