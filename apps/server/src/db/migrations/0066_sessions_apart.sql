ALTER TABLE "portal_views" DROP CONSTRAINT "portal_views_session_id_sessions_id_fk";
