import { content } from '@voisol/contract/content'
import { curves } from '@voisol/contract/curves'
import type { Endpoint } from '@voisol/contract/endpoint'
import { participants } from '@voisol/contract/participants'
import { sync } from '@voisol/contract/sync'
import { users } from '@voisol/contract/users'

/** What can be started from anywhere, by the word one has for it; `also` are other words for the same. */
export const PALETTE_ACTIONS: readonly { label: string; also: string; to: string; needs: Endpoint }[] = [
  {
    label: 'Inviter un utilisateur',
    also: 'ajouter un collègue, un compte',
    to: '/users?inviter=1',
    needs: users.invite,
  },
  {
    label: 'Ajouter un participant',
    also: 'nouveau membre',
    to: '/participants?ajouter=1',
    needs: participants.create,
  },
  {
    label: 'Importer des participants',
    also: 'fichier de membres, CSV, Excel',
    to: '/participants?importer=1',
    needs: participants.import,
  },
  {
    label: 'Importer des courbes',
    also: 'relevés, fichier Enedis',
    to: '/enedis-data?onglet=imports',
    needs: curves.upload,
  },
  {
    label: 'Demander des données à Enedis',
    also: 'synchroniser, historique',
    to: '/enedis-api/sync-tasks?nouvelle=1',
    needs: sync.start,
  },
  { label: 'Écrire un article', also: 'actualité, contenu', to: '/cms-admin?nouveau=article', needs: content.create },
]
