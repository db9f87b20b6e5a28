import { useParams } from 'react-router'
import { ButtonLink } from '../../../components/button.tsx'
import { OnlineCheckoutView } from './checkout.tsx'

/** On a telephone: the amount, the way to pay, one button. */
export default function PortalCheckout() {
  const { invoiceId = '' } = useParams()
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <h1 className="mx-auto w-full max-w-xl text-3xl font-semibold">Payer ma facture</h1>
      <OnlineCheckoutView
        invoiceId={invoiceId}
        more={
          <ButtonLink to={`/client-portal/invoices?facture=${invoiceId}`} variant="quiet">
            Revenir à mes factures
          </ButtonLink>
        }
      />
    </div>
  )
}
