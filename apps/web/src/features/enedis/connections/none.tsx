import FlaskConical from 'lucide-react/icons/flask-conical'
import { ButtonLink } from '../../../ui/button.tsx'
import { cardClass } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'

/** The sandbox needs nobody's credentials: the way to see something arrive today. */
export const NoConnection = ({ sandbox }: { sandbox: boolean }) => (
  <div className={cardClass}>
    <EmptyState
      title="Aucun identifiant pour l’instant"
      why={
        sandbox
          ? 'Le bac à sable local fonctionne sans aucun identifiant\u00a0: un distributeur simulé, avec ses courbes, ses quotas et ses refus. Ajoutez les vôtres quand Enedis vous les aura remis.'
          : 'Ajoutez les identifiants qu’Enedis vous a remis\u00a0: ils sont testés avant d’être enregistrés, puis les courbes arrivent chaque jour.'
      }
      action={
        sandbox && (
          <ButtonLink to="/enedis-api/sync-tasks?nouvelle=1" icon={<FlaskConical aria-hidden="true" />}>
            Essayer avec le bac à sable
          </ButtonLink>
        )
      }
    />
  </div>
)
