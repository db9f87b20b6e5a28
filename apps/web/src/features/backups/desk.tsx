import { backups } from '@voisol/contract/backups'
import { Can } from '../../lib/can.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { CompanyCopies } from './company.tsx'
import { InstallationCopies } from './installation.tsx'
import { TrustedInstallations } from './trusted.tsx'

/** The copies of the company, and for whoever keeps the site those of the whole installation. */
export default function BackupsPage() {
  return (
    <>
      <PageHeader
        title="Copies"
        description="Tout ce qui est à votre organisation, à emporter dans des formats ouverts, ou à reprendre dans une organisation vide."
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        <Can call={backups.installation}>
          <InstallationCopies />
        </Can>
        <CompanyCopies />
        <Can call={backups.trusted}>
          <TrustedInstallations />
        </Can>
      </div>
    </>
  )
}
