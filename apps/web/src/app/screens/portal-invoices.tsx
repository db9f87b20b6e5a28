import { Suspense } from 'react'
import { lazy } from '../../components/lazy.tsx'
import Invoices from '../../features/billing/invoices/portal-invoices.tsx'

const MyYears = lazy(() => import('../../features/accounting/declarations/my-annual-statements.tsx'))
const MyReports = lazy(() => import('../../features/portal/reports/own-reports.tsx'))
const SupplierBills = lazy(() => import('../../features/accounting/supplier-bills/bills.tsx'))

/** A client's documents, its years, and whether its supplier counted right. */
export default function PortalInvoices() {
  return (
    <div className="grid gap-10 [&>*]:min-w-0">
      <Invoices />
      <Suspense fallback={null}>
        <MyYears />
      </Suspense>
      <Suspense fallback={null}>
        <MyReports />
      </Suspense>
      <Suspense fallback={null}>
        <section aria-labelledby="supplier-bills" className="grid gap-4">
          <h2 id="supplier-bills" className="text-2xl font-semibold">
            Et mon fournisseur&nbsp;?
          </h2>
          <SupplierBills />
        </section>
      </Suspense>
    </div>
  )
}
