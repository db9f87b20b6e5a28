import { PageHeader } from '../../ui/page-header.tsx'
import { Checklist } from './checklist.tsx'

export default function GettingStarted() {
  return (
    <>
      <PageHeader
        title="Premiers pas"
        description="De l’inscription à la première facture, ce qui est fait et ce qui reste à faire."
      />
      <Checklist />
    </>
  )
}
