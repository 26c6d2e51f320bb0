//! The methods of [`Administration`](super::Administration), for both databases.

/// Implements `Administration` for a struct with `keys`, `pool`, `writer`, `DIALECT` and `BEGIN`.
macro_rules! implement_administration {
    ($storage:ty, $database:ty, $connection:ty) => {
        impl $storage {
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

        #[async_trait]
        impl Administration for $storage {
            async fn token_of(
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

            async fn add_token(
                &self,
                kind: TokenKind,
                owner: &TokenOwner,
                hash: &str,
                audit: Audit<'_>,
            ) -> Result<(), StorageError> {
                let statement = Self::DIALECT.render_tokens(sql::ADD_TOKEN, kind);
                let query = sqlx::query(statement)
                    .bind(&owner.id)
                    .bind(hash)
                    .bind(&owner.name);
                self.execute_with_audit(query, &audit).await?;
                Ok(())
            }

            async fn tokens(&self, kind: TokenKind) -> Result<Vec<Token>, StorageError> {
                let statement = Self::DIALECT.render_tokens(sql::TOKENS, kind);
                let rows: Vec<(String, String, i64, Option<i64>)> =
                    sqlx::query_as(statement).fetch_all(&self.pool).await?;
                let token = |(id, name, created_at, revoked_at): (_, _, _, Option<i64>)| {
                    let revoked_at = revoked_at.map(instant).transpose()?;
                    Ok(Token {
                        id,
                        name,
                        created_at: instant(created_at)?,
                        revoked_at,
                    })
                };
                rows.into_iter().map(token).collect()
            }

            async fn revoke_token(
                &self,
                kind: TokenKind,
                id: &str,
                audit: Audit<'_>,
            ) -> Result<bool, StorageError> {
                let statement = Self::DIALECT.render_tokens(sql::REVOKE_TOKEN, kind);
                Ok(self
                    .execute_with_audit(sqlx::query(statement).bind(id), &audit)
                    .await?
                    == 1)
            }

            async fn get_or_insert_key(
                &self,
                name: &str,
                key: &str,
            ) -> Result<Zeroizing<String>, StorageError> {
                let query = || sqlx::query_scalar::<_, String>(sql::KEY).bind(name);
                let owner = secret_keys::owner_of_key(name);
                // Most starts find one, and need no writer.
                if let Some(stored) = query().fetch_optional(&self.pool).await? {
                    return Ok(self.keys.decrypt(&owner, &stored)?);
                }
                let key = self.keys.encrypt(&owner, key)?;
                sqlx::query(sql::INSERT_KEY)
                    .bind(name)
                    .bind(key)
                    .execute(&self.writer)
                    .await?;
                Ok(self
                    .keys
                    .decrypt(&owner, &query().fetch_one(&self.pool).await?)?)
            }

            async fn merchant_ids(&self, merchant: &str) -> Result<Vec<String>, StorageError> {
                Ok(sqlx::query_scalar(sql::MERCHANT_IDS)
                    .bind(merchant)
                    .fetch_all(&self.pool)
                    .await?)
            }

            async fn set_merchant_id(
                &self,
                merchant: &str,
                id: &str,
                allowed: bool,
                audit: Audit<'_>,
            ) -> Result<(), StorageError> {
                let statement = if allowed {
                    sql::ADD_MERCHANT_ID
                } else {
                    sql::REMOVE_MERCHANT_ID
                };
                self.execute_with_audit(sqlx::query(statement).bind(merchant).bind(id), &audit)
                    .await?;
                Ok(())
            }

            async fn profile(&self, merchant: &str) -> Result<MerchantProfile, StorageError> {
                let name = sqlx::query_scalar(sql::MERCHANT_NAME)
                    .bind(merchant)
                    .fetch_optional(&self.pool)
                    .await?;
                let origins = sqlx::query_scalar(sql::ORIGINS)
                    .bind(merchant)
                    .fetch_all(&self.pool)
                    .await?;
                Ok(MerchantProfile {
                    name: name.unwrap_or_else(|| merchant.to_owned()),
                    origins,
                })
            }

            async fn set_merchant_name(
                &self,
                merchant: &str,
                name: &str,
                audit: Audit<'_>,
            ) -> Result<(), StorageError> {
                self.execute_with_audit(
                    sqlx::query(sql::SET_MERCHANT_NAME)
                        .bind(merchant)
                        .bind(name),
                    &audit,
                )
                .await?;
                Ok(())
            }

            async fn set_origin(
                &self,
                merchant: &str,
                origin: &str,
                allowed: bool,
                audit: Audit<'_>,
            ) -> Result<(), StorageError> {
                let statement = if allowed {
                    sql::ADD_ORIGIN
                } else {
                    sql::REMOVE_ORIGIN
                };
                self.execute_with_audit(sqlx::query(statement).bind(merchant).bind(origin), &audit)
                    .await?;
                Ok(())
            }

            async fn encrypt_secrets(&self) -> Result<(), StorageError> {
                let rows: Vec<(String, String, Option<String>)> = sqlx::query_as(sql::ALL_SECRETS)
                    .fetch_all(&self.pool)
                    .await?;
                for (merchant, secret, previous) in rows {
                    let encrypt = |stored: &str| {
                        self.keys
                            .encrypt(&merchant, &*self.keys.decrypt(&merchant, stored)?)
                    };
                    if [Some(&secret), previous.as_ref()]
                        .into_iter()
                        .flatten()
                        .all(|text| self.keys.is_current(text))
                    {
                        continue;
                    }
                    let new_previous = previous.as_deref().map(encrypt).transpose()?;
                    // Unless another gateway has changed the row meanwhile.
                    let query = sqlx::query(sql::ENCRYPT_SECRETS)
                        .bind(&merchant)
                        .bind(encrypt(&secret)?);
                    let query = query
                        .bind(new_previous)
                        .bind(&secret)
                        .bind(previous.as_deref().unwrap_or_default());
                    query.execute(&self.writer).await?;
                }
                let rows: Vec<(String, String)> =
                    sqlx::query_as(sql::ALL_KEYS).fetch_all(&self.pool).await?;
                for (name, stored) in rows
                    .iter()
                    .filter(|(_, stored)| !self.keys.is_current(stored))
                {
                    let owner = secret_keys::owner_of_key(name);
                    let key = self
                        .keys
                        .encrypt(&owner, &*self.keys.decrypt(&owner, stored)?)?;
                    sqlx::query(sql::ENCRYPT_KEY)
                        .bind(name)
                        .bind(key)
                        .bind(stored)
                        .execute(&self.writer)
                        .await?;
                }
                Ok(())
            }

            async fn secret(
                &self,
                merchant: &str,
            ) -> Result<Option<Zeroizing<String>>, StorageError> {
                let query = sqlx::query_scalar(sql::SECRET).bind(merchant);
                let stored: Option<String> = query.fetch_optional(&self.pool).await?;
                Ok(stored
                    .map(|stored| self.keys.decrypt(merchant, &stored))
                    .transpose()?)
            }

            async fn get_or_insert_secret(
                &self,
                merchant: &str,
                secret: &str,
            ) -> Result<Zeroizing<String>, StorageError> {
                let secret = self.keys.encrypt(merchant, secret)?;
                sqlx::query(sql::INSERT_SECRET)
                    .bind(merchant)
                    .bind(secret)
                    .execute(&self.writer)
                    .await?;
                self.secret(merchant)
                    .await?
                    .ok_or(StorageError::Row("a merchant without a secret"))
            }

            async fn secrets(
                &self,
                merchant: &str,
            ) -> Result<Vec<Zeroizing<String>>, StorageError> {
                let statement = Self::DIALECT.render(sql::SECRETS);
                let row: Option<(String, Option<String>)> = sqlx::query_as(statement)
                    .bind(merchant)
                    .fetch_optional(&self.pool)
                    .await?;
                let stored = row
                    .into_iter()
                    .flat_map(|(secret, previous)| std::iter::once(secret).chain(previous));
                Ok(stored
                    .map(|stored| self.keys.decrypt(merchant, &stored))
                    .collect::<Result<_, _>>()?)
            }

            async fn rotate_secret(
                &self,
                merchant: &str,
                secret: &str,
                keep: Duration,
                audit: Audit<'_>,
            ) -> Result<bool, StorageError> {
                let statement = Self::DIALECT.render(sql::ROTATE_SECRET);
                let secret = self.keys.encrypt(merchant, secret)?;
                let query = sqlx::query(statement)
                    .bind(merchant)
                    .bind(secret)
                    .bind(span(keep));
                Ok(self.execute_with_audit(query, &audit).await? == 1)
            }

            async fn wipe_secrets(&self) -> Result<(), StorageError> {
                sqlx::query(Self::DIALECT.render(sql::WIPE_SECRETS))
                    .execute(&self.writer)
                    .await?;
                Ok(())
            }

            async fn record_refusal(&self, audit: Audit<'_>) -> Result<(), StorageError> {
                let mut writer = Writer::acquire(&self.writer).await?;
                Self::record(&mut *writer, &audit).await?;
                writer.release();
                Ok(())
            }

            async fn audit(&self, limit: i64) -> Result<Vec<AuditEntry>, StorageError> {
                let rows: Vec<(
                    i64,
                    String,
                    String,
                    String,
                    String,
                    Option<String>,
                    Option<String>,
                    String,
                )> = sqlx::query_as(sql::AUDIT)
                    .bind(limit)
                    .fetch_all(&self.pool)
                    .await?;
                let entry = |(at, operator, origin, action, subject, before, after, result)| {
                    let at = instant(at)?.to_string();
                    Ok(AuditEntry {
                        at,
                        operator,
                        origin,
                        action,
                        subject,
                        before,
                        after,
                        result,
                    })
                };
                rows.into_iter().map(entry).collect()
            }
        }
    };
}

pub(super) use implement_administration;
