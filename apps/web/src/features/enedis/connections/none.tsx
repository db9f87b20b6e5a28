import { enedis } from '@voisol/contract/enedis'
import { sync } from '@voisol/contract/sync'
import FlaskConical from 'lucide-react/icons/flask-conical'
import { useCan } from '../../../lib/can.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { cardClass } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'

const SANDBOX_TEXT =
  'Le bac à sable local fonctionne sans aucun identifiant\u00a0: un distributeur simulé, avec ses courbes, ses quotas et ses refus.'
const NO_CALLS_TEXT = 'Aucun appel ne part vers le distributeur tant qu’il n’y en a pas.'
const ADD_CREDENTIALS_TEXT =
  'Ajoutez les identifiants qu’Enedis vous a remis\u00a0: ils sont testés avant d’être enregistrés, puis les courbes arrivent chaque jour.'

/** The sandbox needs nobody's credentials: the way to see something arrive today. */
export function NoConnection({ sandbox }: { sandbox: boolean }) {
  const can = useCan()
  const canAdd = can(enedis.save)
  return (
    <div className={cardClass}>
      <EmptyState
        title="Aucun identifiant pour l’instant"
        why={
          sandbox
            ? `${SANDBOX_TEXT}${canAdd ? ' Ajoutez les vôtres quand Enedis vous les aura remis.' : ''}`
            : canAdd
              ? ADD_CREDENTIALS_TEXT
              : NO_CALLS_TEXT
        }
        action={
          sandbox && can(sync.start) ? (
            <ButtonLink to="/enedis-api/sync-tasks?nouvelle=1" icon={<FlaskConical aria-hidden="true" />}>
              Essayer avec le bac à sable
            </ButtonLink>
          ) : (
            <ButtonLink variant="secondary" to="/enedis-api/docs">
              Savoir comment les obtenir
            </ButtonLink>
          )
        }
      />
    </div>
  )
}
