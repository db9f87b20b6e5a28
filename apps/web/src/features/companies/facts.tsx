import type { Company } from '@voisol/contract/companies'
import { Card } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'

const given = (value: string) => value || 'Non renseigné'

/** The identity for those who may not change it. */
export const CompanyFacts = ({ company }: { company: Company }) => (
  <Card
    title="Identité de l’organisation"
    description="Ces informations figurent sur les documents remis aux participants."
  >
    <FactList
      facts={[
        { label: 'Nom affiché', value: company.name },
        { label: 'Dénomination légale', value: given(company.legalName) },
        { label: 'SIREN', value: given(company.siren) },
        { label: 'Adresse', value: given(company.address) },
        { label: 'Adresse e-mail de contact', value: given(company.email) },
        { label: 'Téléphone', value: given(company.phone) },
      ]}
    />
  </Card>
)
