import { and, eq, sql } from 'drizzle-orm'
import { ConnectionFault } from '../adapters/connections/faults.ts'
import { sendMailThrough } from '../adapters/connections/smtp.ts'
import type { Mail } from '../adapters/mail/mail.ts'
import { connections } from '../db/schema/index.ts'
import type { Deps } from '../deps.ts'
import { failConnectionRun, getConnectionSealContext, startConnectionRun } from './connection-runs.ts'
import { isExampleCompany } from './example.ts'

const SENT_BY_INSTALLATION = 'Le message est parti par l’expéditeur de Voisol.'

/**
 * Sends a message of a company by its own server, where it has one that works. False where it has none or where it failed:
 * the house's sender takes the message then, and the connection's log says why.
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
  /** The installation's own sender, also where the company has one: the company's server must not read this message. */
  sender?: 'installation' | undefined
}

/** A message of a company: in its own name where it can and may, by the installation's sender otherwise. */
export async function sendCompanyMail(
  deps: Pick<Deps, 'db' | 'secrets' | 'outside' | 'log' | 'mailer'>,
  companyId: number,
  mail: Mail,
  { sender }: SendCompanyMailOptions = {},
): Promise<void> {
  // The people of an example are invented: their addresses are nobody's, or somebody else's.
  if (await isExampleCompany(deps.db, companyId)) return
  if (sender !== 'installation' && (await sendThroughCompanyServer(deps, companyId, mail))) return
  await deps.mailer.send(mail)
}
