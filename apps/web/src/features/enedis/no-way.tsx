import { enedis } from '@voisol/contract/enedis'
import { Can } from '../../lib/can.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { cardClass } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** Neither credentials nor the sandbox: nothing can be asked. */
export const NoConnectionAvailable = () => (
  <div className={cardClass}>
    <EmptyState
      title="Aucune connexion au distributeur"
      why="Le bac à sable local n’est pas démarré sur cette installation et aucun identifiant n’est enregistré."
      action={
        <Can call={enedis.save}>
          <ButtonLink to="/enedis-api">Ajouter des identifiants</ButtonLink>
        </Can>
      }
    />
  </div>
)
