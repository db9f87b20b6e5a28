import { ButtonLink } from '../../../components/button.tsx'
import { PaymentOutcome } from './payment-outcome.tsx'

export default function PortalSuccess() {
  return (
    <PaymentOutcome
      back={<ButtonLink to="/client-portal/invoices">Voir mes factures</ButtonLink>}
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
