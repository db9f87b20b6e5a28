import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { notify } from '../../people/notifications/notifications.ts'
import type { ConnectionRow } from './settings.ts'

/**
 * Whoever controls the SMTP server of a company can read its mail. Every administrator is therefore notified of a new
 * one, in the same transaction, by a message that is not sent through that server.
 */
export async function notifyMailServerChange(
  tx: Db,
  deps: Pick<Deps, 'secrets' | 'config'>,
  actor: Actor,
  row: ConnectionRow,
) {
  if (row.kind !== 'smtp') return
  const effect =
    row.state === 'active'
      ? 'Les messages de votre organisation partent désormais par ce serveur.'
      : 'Ce serveur est enregistré, en pause\u00a0: aucun message ne part encore par lui.'
  await notify(tx, deps, {
    companyId: row.companyId,
    to: { permission: 'companies.write' },
    category: 'security',
    type: 'warning',
    priority: 'high',
    title: `Serveur d’envoi «\u00a0${row.name}\u00a0» enregistré`,
    message: `${formatActorName(actor)} a réglé l’expéditeur «\u00a0${row.name}\u00a0». ${effect} Les invitations, les nouveaux mots de passe et les avis de sécurité partent toujours par Voisol. Si ce n’est pas voulu, suspendez cette connexion, puis vérifiez qui administre votre organisation.`,
    action: { label: 'Voir les connexions', url: '/admin/enterprise-connections' },
    key: `sender ${row.id} ${row.version}`,
  })
}
