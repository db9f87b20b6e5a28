import { lazy, Suspense } from 'react'
import Invoices from '../features/invoices/portal.tsx'

const MyYears = lazy(() => import('../features/declarations/mine.tsx'))

/** A client's documents, and its years. */
export default function PortalInvoices() {
  return (
    <>
      <Invoices />
      <Suspense fallback={null}>
        <MyYears />
      </Suspense>
    </>
  )
}
