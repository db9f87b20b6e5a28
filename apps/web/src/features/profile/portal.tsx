import type { ReactNode } from 'react'
import { PageHeader } from '../../ui/page-header.tsx'
import { Consents } from './consents.tsx'
import { ProfileSections } from './sections.tsx'

export default function PortalProfile({ children }: { children?: ReactNode }) {
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title="Mon profil" description="Vos coordonnées, vos consentements et la sécurité de votre compte." />
      <ProfileSections>
        <Consents />
        {children}
      </ProfileSections>
    </div>
  )
}
