import type { Company } from '@voisol/contract/companies'
import { Card } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'

const formatOptional = (value: string) => value || 'Non renseigné'

/** The identity for those who may not change it. */
export const CompanyFacts = ({ company }: { company: Company }) => (
  <Card
    title="Identité de l’organisation"
    description="Ces informations figurent sur les documents remis aux participants."
  >
    <FactList
      facts={[
        { label: 'Nom affiché', value: company.name },
        { label: 'Dénomination légale', value: formatOptional(company.legalName) },
        { label: 'SIREN', value: formatOptional(company.siren) },
        { label: 'Adresse', value: formatOptional(company.address) },
        { label: 'Adresse e-mail de contact', value: formatOptional(company.email) },
        { label: 'Téléphone', value: formatOptional(company.phone) },
      ]}
    />
  </Card>
)
