//! The parts that the traits of the storage have in common: the owners of tokens, and the audit.

/// Implements `owner_of_token`, `record`, and `execute_with_audit` for a struct with `pool`,
/// `writer`, `DIALECT`, and `BEGIN`.
macro_rules! implement_audit {
    ($storage:ty, $database:ty, $connection:ty) => {
        impl $storage {
            /// Returns the owner of a token, unless it is revoked.
            async fn owner_of_token(
                &self,
                kind: TokenKind,
                hash: &str,
            ) -> Result<Option<TokenOwner>, StorageError> {
                let statement = Self::DIALECT.render_tokens(sql::TOKEN_OF, kind);
                let row: Option<(String, String)> = sqlx::query_as(statement)
                    .bind(hash)
                    .fetch_optional(&self.pool)
                    .await?;
                Ok(row.map(|(id, name)| TokenOwner { id, name }))
            }

            /// Adds an action to the audit, in the transaction of the connection.
            async fn record(
                connection: &mut $connection,
                audit: &Audit<'_>,
            ) -> Result<(), sqlx::Error> {
                let statement = Self::DIALECT.render(sql::RECORD);
                let query = sqlx::query(statement)
                    .bind(&audit.actor.operator)
                    .bind(&audit.actor.origin);
                let query = query
                    .bind(audit.action)
                    .bind(audit.subject)
                    .bind(audit.before)
                    .bind(audit.after);
                query.bind(audit.result).execute(&mut *connection).await?;
                Ok(())
            }

            /// Executes a statement and records it, in one transaction; returns the number of rows.
            /// A statement that changes no row is not recorded.
            async fn execute_with_audit(
                &self,
                query: sqlx::query::Query<'_, $database, <$database as sqlx::Database>::Arguments>,
                audit: &Audit<'_>,
            ) -> Result<u64, StorageError> {
                let mut writer = Writer::acquire(&self.writer).await?;
                let mut transaction = writer.begin_with(Self::BEGIN).await?;
                let rows = query.execute(&mut *transaction).await?.rows_affected();
                if rows > 0 {
                    Self::record(&mut transaction, audit).await?;
                }
                transaction.commit().await?;
                writer.release();
                Ok(rows)
            }
        }
    };
}

pub(super) use implement_audit;
