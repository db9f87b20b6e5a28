import { PageHeader } from '../../../components/page-header.tsx'
import { ProfileSections } from './sections.tsx'

export default function AdminProfile() {
  return (
    <div className="max-w-4xl">
      <PageHeader
        title="Mon profil"
        description="Vos coordonnées, votre mot de passe et la sécurité de votre compte."
      />
      <ProfileSections />
    </div>
  )
}
