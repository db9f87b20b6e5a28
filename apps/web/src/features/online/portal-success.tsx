import { ButtonLink } from '../../ui/button.tsx'
import { Outcome } from './outcome.tsx'

export default function PortalSuccess() {
  return (
    <Outcome
      after={({ state, invoice }) => (
        <>
          {(state === 'failed' || state === 'expired') && (
            <ButtonLink to={`/client-portal/checkout/${invoice.id}`}>Payer autrement</ButtonLink>
          )}
          <ButtonLink to={`/client-portal/invoices?facture=${invoice.id}`} variant="secondary">
            Voir mes factures
          </ButtonLink>
        </>
      )}
    />
  )
}
