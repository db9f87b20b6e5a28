import { PageHeader } from '../../../components/page-header.tsx'
import { OnboardingChecklist } from './checklist.tsx'

export default function OnboardingPage() {
  return (
    <>
      <PageHeader
        title="Premiers pas"
        description="De l’inscription à la première facture, ce qui est fait et ce qui reste à faire."
      />
      <OnboardingChecklist />
    </>
  )
}
