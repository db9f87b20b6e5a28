import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { ssoConnections, ssoDomains } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { appendAudit } from '../../../http/audit.ts'
import { generateToken } from '../../../secrets.ts'
import { createSelfSignedCertificate } from './self-signed-certificate.ts'

/** A domain belongs to one company once it is proved: each demonstration has its own. */
const getDemoDomain = (companyId: number) => `metropole-${companyId}.example`
const DAY_MS = 86_400_000
const DEMO_PROVIDER = 'https://identite.metropole-demo.example'
const DEMO_REFUSALS = [
  [
    'paul.renaud@metropole-demo.example',
    'L’assertion est destinée à un autre service (Audience)\u00a0: vérifiez l’identifiant d’entité chez le fournisseur.',
  ],
  ['visiteur', 'L’assertion n’est pas signée, ou sa signature n’est pas celle d’un certificat de la connexion.'],
] as const

/** A connection that is set and tried, and waits to be opened: nobody is sent to a provider that does not exist. */
export async function seedSso(tx: Db, { secrets }: Pick<Deps, 'secrets'>, companyId: number): Promise<void> {
  const [known] = await tx
    .select()
    .from(ssoDomains)
    .where(and(eq(ssoDomains.domain, getDemoDomain(companyId)), eq(ssoDomains.companyId, companyId)))
  if (known) return
  const now = Date.now()
  const { certificate } = await createSelfSignedCertificate(
    'identite.metropole-demo.example',
    new Date(now - 340 * DAY_MS),
    new Date(now + 24.5 * DAY_MS),
  )
  const roles = [
    { group: 'Énergie', role: 'manager' },
    { group: 'Finances', role: 'accountant' },
  ]
  const about = {
    entityId: DEMO_PROVIDER,
    ssoUrl: `${DEMO_PROVIDER}/saml/sso`,
    certificates: [certificate],
    roles,
    defaultRole: 'reader',
  }
  const [row] = await tx
    .insert(ssoConnections)
    .values({
      companyId,
      name: 'Annuaire de la métropole',
      kind: 'saml',
      ...about,
      testedAt: new Date(now - 2 * DAY_MS),
    })
    .returning()
  if (!row) return
  const domain = { companyId, domain: getDemoDomain(companyId), connectionId: row.id, token: generateToken() }
  await tx.insert(ssoDomains).values({ ...domain, provedAt: new Date(now - 3 * DAY_MS) })
  for (const [actor, sentence] of DEMO_REFUSALS)
    await appendAudit(tx, secrets, {
      companyId,
      userId: null,
      actor,
      action: 'sso.refused',
      label: 'Entrer par une connexion d’entreprise',
      target: row.name,
      outcome: 'refused',
      detail: { reason: 'demo', sentence, connectionId: row.id },
      requestId: crypto.randomUUID(),
      ip: '192.0.2.17',
    })
}
