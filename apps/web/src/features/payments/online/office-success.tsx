import { ButtonLink } from '../../../components/button.tsx'
import { PaymentOutcome } from './payment-outcome.tsx'

export default function OfficeSuccess() {
  return (
    <PaymentOutcome
      back={<ButtonLink to="/invoices">Voir les factures</ButtonLink>}
      after={({ state, invoice }) => (
        <>
          {(state === 'failed' || state === 'expired') && (
            <ButtonLink to={`/dashboard/payment/${invoice.id}`}>Encaisser autrement</ButtonLink>
          )}
          <ButtonLink to={`/invoice/${invoice.id}`} variant="secondary">
            Voir la facture {invoice.number}
          </ButtonLink>
        </>
      )}
    />
  )
}
