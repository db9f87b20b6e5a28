import { and, eq, sql } from 'drizzle-orm'
import type { QueueOptions } from 'pg-boss'
import { connections } from '../db/schema/index.ts'
import type { Deps } from '../deps.ts'
import { ConnectionFault } from '../integrations/connections/connector.ts'
import { sendMailThrough } from '../integrations/connections/smtp.ts'
import type { Mail } from '../integrations/mail/mail.ts'
import { isExampleCompany } from './company-state.ts'
import { failConnectionRun, getConnectionSealContext, startConnectionRun } from './connection-runs.ts'

/**
 * A mail server may be down from Friday evening to Monday morning: a message is retried for three days at least, in the
 * end every half hour. The delay grows from three seconds; a test adds it up.
 */
export const MAIL_RETRY_OPTIONS = {
  retryLimit: 160,
  retryDelay: 3,
  retryBackoff: true,
  retryDelayMax: 1800,
} satisfies QueueOptions

const SENT_BY_INSTALLATION = 'Le message est parti par l’expéditeur de Voisol.'

/**
 * Sends a message through the company's own server, if one works. False without one or when it failed: the sender of
 * the installation is used then, and the log of the connection says why.
 */
async function sendThroughCompanyServer(
  deps: Pick<Deps, 'db' | 'secrets' | 'outside' | 'log'>,
  companyId: number,
  mail: Mail,
): Promise<boolean> {
  const [row] = await deps.db
    .select()
    .from(connections)
    .where(and(eq(connections.companyId, companyId), eq(connections.kind, 'smtp'), eq(connections.state, 'active')))
  if (!row) return false
  try {
    await sendMailThrough(
      deps.outside,
      JSON.parse(deps.secrets.open(row.settings, getConnectionSealContext(row))),
      mail,
    )
  } catch (error) {
    const fault = error instanceof ConnectionFault ? error : new ConnectionFault(String(error))
    deps.log.warn({ err: fault, connection: row.id }, 'own sender failed')
    const log = await startConnectionRun(deps.db, row, 'Voisol')
    await log.add({ text: fault.message })
    await log.add({ text: SENT_BY_INSTALLATION })
    await failConnectionRun(deps, row, log, fault, 'mail.send')
    return false
  }
  if (row.failures > 0)
    await deps.db.execute(sql`update connections set failures = 0, trouble = ''
      where company_id = ${companyId} and id = ${row.id} and state = 'active'`)
  return true
}

type SendCompanyMailOptions = {
  /** The sender of the installation even if the company has its own server, which must not read this message. */
  sender?: 'installation' | undefined
}

/** Sends a message of a company through its own server if possible, through that of the installation otherwise. */
export async function sendCompanyMail(
  deps: Pick<Deps, 'db' | 'secrets' | 'outside' | 'log' | 'mailer'>,
  companyId: number,
  mail: Mail,
  { sender }: SendCompanyMailOptions = {},
): Promise<void> {
  // The people of an example company are invented: their addresses do not exist, or belong to somebody else.
  if (await isExampleCompany(deps.db, companyId)) return
  if (sender !== 'installation' && (await sendThroughCompanyServer(deps, companyId, mail))) return
  await deps.mailer.send(mail)
}
