import type { ReactNode } from 'react'
import { PageHeader } from '../../ui/page-header.tsx'
import { OwnConsents } from './consents.tsx'
import { ProfileSections } from './sections.tsx'

type PortalProfileProps = { children?: ReactNode; last?: ReactNode }

export default function PortalProfile({ children, last }: PortalProfileProps) {
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title="Mon profil" description="Vos coordonnées, vos consentements et la sécurité de votre compte." />
      <ProfileSections last={last}>
        <OwnConsents />
        {children}
      </ProfileSections>
    </div>
  )
}
