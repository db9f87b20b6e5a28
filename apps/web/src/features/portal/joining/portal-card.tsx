import { ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'

/** From the profile to the way out of an operation. */
export const LeaveOperation = () => (
  <Card
    title="Quitter ou déménager"
    description="Vous voyez d’abord le préavis, la date et ce qui suit. Votre organisateur vous répond."
  >
    <ButtonLink to="/client-portal/departure" variant="secondary">
      Voir comment partir
    </ButtonLink>
  </Card>
)
