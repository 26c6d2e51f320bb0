//! The methods of [`Administration`](super::Administration), for both databases.

/// Implements `Administration` for a struct with `keys`, `pool`, `writer`, `DIALECT`, `SERIAL`,
/// `BEGIN`, `check_space`, `check_durability`, `migrate_with`, and the methods of
/// `implement_audit!`.
macro_rules! implement_administration {
    ($storage:ty) => {
        #[async_trait]
        impl Administration for $storage {
            async fn migrate(&self) -> Result<(), StorageError> {
                self.migrate_with(&migrations::migrator(Self::SERIAL)).await
            }

            async fn ping(&self) -> Result<(), StorageError> {
                self.check_space()?;
                let statement = Self::DIALECT.render(sql::READY);
                let mut writer = Writer::acquire(&self.writer).await?;
                Self::check_durability(&mut writer).await?;
                sqlx::query(statement).execute(&mut *writer).await?;
                writer.release();
                Ok(())
            }

            async fn tick(&self) -> Result<i64, StorageError> {
                let statement = Self::DIALECT.render(sql::TICK);
                Ok(sqlx::query_scalar(statement)
                    .fetch_one(&self.writer)
                    .await?)
            }

            async fn waiting(
                &self,
                state: &str,
                since: Duration,
                limit: i64,
            ) -> Result<Vec<String>, StorageError> {
                let statement = Self::DIALECT.render(sql::WAITING);
                let query = sqlx::query_scalar(statement)
                    .bind(state)
                    .bind(span(since))
                    .bind(limit);
                Ok(query.fetch_all(&self.pool).await?)
            }

            async fn add_stored_bytes(
                &self,
                merchant: &str,
                bytes: i64,
            ) -> Result<i64, StorageError> {
                let query = sqlx::query_scalar(sql::ADD_STORED_BYTES)
                    .bind(merchant)
                    .bind(bytes);
                Ok(query.fetch_one(&self.writer).await?)
            }

            async fn forget(&self, age: Duration, limit: i64) -> Result<u64, StorageError> {
                let statement = Self::DIALECT.render(sql::FORGET);
                let query = sqlx::query(statement).bind(span(age)).bind(limit);
                Ok(query.execute(&self.writer).await?.rows_affected())
            }

            async fn forget_sessions(
                &self,
                age: Duration,
                limit: i64,
            ) -> Result<u64, StorageError> {
                let (mark, delete) = (
                    Self::DIALECT.render(sql::MARK_PAID_SESSIONS),
                    Self::DIALECT.render(sql::FORGET_SESSIONS),
                );
                let mut writer = Writer::acquire(&self.writer).await?;
                let mut transaction = writer.begin_with(Self::BEGIN).await?;
                let marked = sqlx::query(mark)
                    .bind(span(age))
                    .bind(limit)
                    .execute(&mut *transaction)
                    .await?
                    .rows_affected();
                let deleted: Vec<(String, i64)> = sqlx::query_as(delete)
                    .bind(span(age))
                    .bind(limit)
                    .fetch_all(&mut *transaction)
                    .await?;
                // In the order of the merchants, so that two gateways never wait for each other's.
                let mut freed = BTreeMap::<&str, i64>::new();
                for (merchant, bytes) in &deleted {
                    *freed.entry(merchant).or_default() += bytes;
                }
                for (merchant, bytes) in freed {
                    sqlx::query(sql::ADD_STORED_BYTES)
                        .bind(merchant)
                        .bind(-bytes)
                        .execute(&mut *transaction)
                        .await?;
                }
                transaction.commit().await?;
                writer.release();
                Ok(marked.saturating_add(u64::try_from(deleted.len()).unwrap_or(u64::MAX)))
            }

            async fn close(&self) {
                self.pool.close().await;
                self.writer.close().await;
            }

            async fn operator(&self, hash: &str) -> Result<Option<TokenOwner>, StorageError> {
                self.owner_of_token(TokenKind::Operator, hash).await
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
