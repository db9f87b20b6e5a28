import type { Deps } from '../deps.ts'
import { FAULTS, verifyAudit } from '../features/people/audit/audit.ts'
import { plural, say } from './output.ts'

/** False when a chain is broken. The head of each is shown: kept elsewhere, it proves later that the tail was not cut. */
export async function auditVerify({ db, secrets }: Deps): Promise<boolean> {
  const chains = await verifyAudit(db, secrets)
  for (const { companyId, links, head, broken } of chains) {
    const name = companyId === 0 ? 'Visiteurs' : `Organisation ${companyId}`
    if (broken) say(`✗ ${name} : le maillon ${broken.seq} est rompu, ${FAULTS[broken.fault]}.`)
    else say(`✓ ${name} : ${plural(links, 'maillon')}, tête ${head.slice(0, 16)}`)
  }
  const bad = chains.filter((chain) => chain.broken).length
  say(bad ? `\n${plural(bad, 'chaîne rompue', 'chaînes rompues')}.` : '\nLe journal d’audit est intact.')
  return bad === 0
}
