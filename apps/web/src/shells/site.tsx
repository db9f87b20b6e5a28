import type { ReactNode } from 'react'
import { Outlet } from 'react-router'
import { SiteDialogs } from '../site/dialogs/site-dialogs.tsx'
import { SiteFooter } from './site-footer.tsx'
import { SiteHeader } from './site-header.tsx'

/** Around every public page. */
export function SiteShell({ children = <Outlet /> }: { children?: ReactNode }) {
  return (
    <div data-density="comfortable" className="flex min-h-dvh flex-col bg-white text-body text-ink">
      <SiteHeader />
      <main id="contenu" className="flex-1 outline-none">
        {children}
      </main>
      <SiteFooter />
      <SiteDialogs />
    </div>
  )
}
