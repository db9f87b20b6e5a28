import type { Permission } from '@voisol/contract/permissions'
import type { ComponentType } from 'react'
import type { NavIcon } from '../shells/nav-icons.ts'

export type ScreenSection = 'operations' | 'data' | 'management' | 'money' | 'administration' | 'portal'
export type ScreenRole = 'public' | 'admin' | 'client'

/** A screen of the product. `nav` puts it in a sidebar, `parent` above it in the breadcrumbs. */
export type Screen = {
  path: `/${string}`
  screen: () => Promise<{ default: ComponentType }>
  title: string
  role: ScreenRole
  nav?: { section: ScreenSection; icon: NavIcon; label?: string; badge?: string }
  parent?: `/${string}`
  /** Where one signs in: whoever has done so is sent on. */
  signIn?: true
  /** The right without which the screen is a refusal; `also` what it reads beside it from its first moment. */
  permission?: Permission
  also?: readonly Permission[]
  /** Days that are looked at go along when one comes here from another such screen. */
  period?: true
  /** For those who build or look after the product: in no menu and in no search. */
  hidden?: true
  /** Only outside production. */
  dev?: true
}
