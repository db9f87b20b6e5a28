import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'

export const NoPoint = () => (
  <Card>
    <EmptyState
      title="Votre compteur n’est pas encore rattaché"
      why="Dès que l’organisateur de votre opération l’aura rattaché à votre compte, vous verrez ici votre énergie."
      action={
        <ButtonLink variant="secondary" to="/client-portal/support?nouvelle=1">
          Écrire à l’organisateur
        </ButtonLink>
      }
    />
  </Card>
)

export const NoReading = () => (
  <Card>
    <EmptyState
      title="Vos premières mesures n’ont pas encore été reçues"
      why="Elles arrivent du compteur communicant, en général quelques jours après votre entrée dans l’opération."
      because="comes-by-itself"
    />
  </Card>
)

export const NoReadingInPeriod = () => (
  <EmptyState
    title="Aucune mesure sur cette période"
    why="Choisissez une autre période : seuls les jours de votre participation sont connus."
    because="chosen-here"
  />
)
